import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { API_MODULES } from '../../src/app.module.js';
import {
  controllersOf,
  PACKAGE_ROOT,
  PROBLEM_CODES,
  problemsOf,
  routesOf,
} from '../../src/base/platform/index.js';
import { CLIENT_TYPES, clientTypes } from '../../scripts/lib/client-types.mjs';
import { GENERATED_FOLDERS, generatedFiles } from '../../src/generated-files.js';
import { faultsOfOpenApi, type OpenApi } from '../support/openapi.js';

const printed = generatedFiles();
const files: Readonly<Record<string, string>> = {
  ...printed,
  [CLIENT_TYPES]: await clientTypes(printed['docs/openapi.json'] ?? ''),
};

describe('the published API', () => {
  it('is a sound OpenAPI 3.0.3 document', () => {
    const document = JSON.parse(files['docs/openapi.json'] ?? '') as OpenApi;
    expect(faultsOfOpenApi(document)).toEqual([]);
  });

  it('has a contract for every handler, and but for three only reading is public', () => {
    const routes = routesOf(API_MODULES.flatMap(controllersOf));
    expect(routes.length).toBeGreaterThan(5);
    const publicWrites: string[] = [];
    for (const { contract } of routes) {
      expect(problemsOf(contract).every((code) => PROBLEM_CODES.includes(code))).toBe(true);
      if (contract.access !== 'public') continue;
      expect(contract.idempotency).toBe('none');
      if (contract.method !== 'GET') publicWrites.push(`${contract.method} ${contract.path}`);
    }
    // Each has a credential of its own in place of an API key: the buyer's proof, the link's token, the provider's signature.
    expect(publicWrites.sort()).toEqual([
      'POST /authority/consents/{tenant_id}/{consent_id}/withdrawals',
      'POST /pay/{token}',
      'POST /v1/webhooks/sandbox/{endpoint_id}',
    ]);
  });
});

describe('generated files', () => {
  it.each(Object.keys(files))(
    '%s is committed as the program prints it (npm run generate)',
    (path) => {
      const file = join(PACKAGE_ROOT, path);
      expect(existsSync(file) ? readFileSync(file, 'utf8') : `${path} is missing`).toBe(
        files[path],
      );
    },
  );

  it.each(GENERATED_FOLDERS)('%s holds nothing else', (folder) => {
    for (const name of readdirSync(join(PACKAGE_ROOT, folder))) {
      expect(files).toHaveProperty([`${folder}/${name}`]);
    }
  });
});
