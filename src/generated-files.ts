import { existsSync, readFileSync } from 'node:fs';
import { API_MODULES } from './app.module.js';
import {
  accessTable,
  buildOpenApi,
  controllersOf,
  printAccessPage,
  printProblemPage,
  PROBLEM_CODES,
  routesOf,
  SERVICE_VERSION,
} from './base/platform/index.js';
import { keyedRoutesFile } from './generate/keyed-routes.js';
import { PUBLISHED_REASONS, reasonFiles } from './generate/reason-files.js';

/** Path below the project's folder -> text. */
type Files = Readonly<Record<string, string>>;

const apiRoutes = () => routesOf(API_MODULES.flatMap(controllersOf));

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** What was published before: the catalogue of reasons may grow, but never takes a promise back. */
const publishedReasons = (): string | null => {
  const file = new URL(`../${PUBLISHED_REASONS}`, import.meta.url);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
};

/** Each prints committed files from the program alone; `npm run generate` writes them, a test compares them. */
const GENERATORS: readonly (() => Files)[] = [
  () => ({ 'docs/openapi.json': json(buildOpenApi(apiRoutes(), SERVICE_VERSION)) }),
  () => ({ 'docs/access.md': printAccessPage(accessTable(apiRoutes())) }),
  () =>
    Object.fromEntries(
      PROBLEM_CODES.map((code) => [`docs/problems/${code}.md`, printProblemPage(code)]),
    ),
  () => reasonFiles(publishedReasons()),
  () => keyedRoutesFile(apiRoutes()),
];

/** Folders in which every file is generated: what is there and no longer generated is removed. */
export const GENERATED_FOLDERS: readonly string[] = ['docs/problems'];

export const generatedFiles = (): Files =>
  Object.assign({}, ...GENERATORS.map((generate) => generate())) as Files;
