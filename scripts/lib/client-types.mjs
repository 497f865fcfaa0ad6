import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

export const CLIENT_TYPES = 'src/client/api.ts';

const HEADER = [
  '// Generated from docs/openapi.json by `npm run generate`: the types of every route. Not edited by hand.',
  '// Every problem has one form, so that each route names it once, as its `default` answer.',
  '',
].join('\n');

/** The types of the whole API as the text of a file: openapi-typescript over the document, then prettier. */
export async function clientTypes(openApiText) {
  const text = astToString(
    await openapiTS(withOneProblem(JSON.parse(openApiText)), {
      // A member with a default may be left out of a request.
      defaultNonNullable: false,
    }),
  );
  const filepath = join(ROOT, CLIENT_TYPES);
  return format(`${HEADER}\n${text}`, { ...(await resolveConfig(filepath)), filepath });
}

function withOneProblem(document) {
  const problem = {
    description: 'The request could not be answered.',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method,
          { ...operation, responses: withDefault(operation.responses) },
        ]),
      ),
    ]),
  );
  const components = { ...document.components, responses: { Problem: problem } };
  return { ...document, paths, components };
}

/** Answers that are no problem stay as they are: some of them have a status of 4xx. */
function withDefault(responses) {
  const answers = Object.entries(responses).filter(
    ([, { content = {} }]) => !('application/problem+json' in content),
  );
  return { ...Object.fromEntries(answers), default: { $ref: '#/components/responses/Problem' } };
}
