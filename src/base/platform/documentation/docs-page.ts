import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Only this host, no inline script: what the page shows is data of ours, what it runs are files of ours. */
export const DOCS_CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Commerce arbiter: API</title>
    <link rel="stylesheet" href="/docs/assets/swagger-ui.css" />
    <link rel="icon" type="image/png" href="/docs/assets/favicon-32x32.png" />
  </head>
  <body>
    <div id="api"></div>
    <script src="/docs/assets/swagger-ui-bundle.js"></script>
    <script src="/docs/assets/start.js"></script>
  </body>
</html>
`;

// WHY validatorUrl null: the viewer would else send the document's address to a public validator.
const START_SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', validatorUrl: null, deepLinking: true });
`;

export interface DocsFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const TYPES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

export const DOCS_ASSETS = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-32x32.png',
  'start.js',
] as const;
export type DocsAsset = (typeof DOCS_ASSETS)[number];

export interface DocsSite {
  readonly page: DocsFile;
  readonly assets: Readonly<Record<DocsAsset, DocsFile>>;
}

/** The docs page and its files, read once from the installed viewer. Nothing is loaded from another host. */
export function loadDocsSite(): DocsSite {
  const folder = viewerFolder();
  const file = (name: keyof typeof TYPES): DocsFile => ({
    contentType: TYPES[name],
    bytes: readFileSync(join(folder, name)),
  });
  return {
    page: { contentType: 'text/html; charset=utf-8', bytes: Buffer.from(PAGE) },
    assets: {
      'swagger-ui.css': file('swagger-ui.css'),
      'swagger-ui-bundle.js': file('swagger-ui-bundle.js'),
      'favicon-32x32.png': file('favicon-32x32.png'),
      'start.js': {
        contentType: 'text/javascript; charset=utf-8',
        bytes: Buffer.from(START_SCRIPT),
      },
    },
  };
}

const viewerFolder = (): string =>
  dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
