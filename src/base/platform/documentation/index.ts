export { accessTable, printAccessPage } from './access-table.js';
export { DocumentationModule } from './documentation.module.js';
export { buildOpenApi } from './openapi.js';
export { printReasonIndex, printReasonPage, reasonPagePath, REASONS_PATH } from './reason-pages.js';
export { PROBLEM_CODES, printProblemPage } from './problem-pages.js';
