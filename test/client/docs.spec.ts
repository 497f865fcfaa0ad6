import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { PACKAGE_ROOT } from '../../src/base/platform/index.js';
import { demoApiKey, FROZEN_TENANT_ID } from '../../src/demo/demo-world.js';
import { compiledSources } from '../support/compiled.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { freshDatabase } from '../support/database.js';
import { startTestService } from '../support/service.js';

const page = readFileSync(join(PACKAGE_ROOT, 'docs', 'client.md'), 'utf8');
const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
const [, shown = ''] = /```text\n([\s\S]*?)```/.exec(page) ?? [];

const WITH_DOM = ['lib.es2023.d.ts', 'lib.dom.d.ts'];

/**
 * What the compiler says of a text as if it stood in the package, and of the client that it finds by the package's
 * entry. `lib`: in a project with these libraries.
 */
function faultsOf(text: string, lib?: string[]): readonly string[] {
  const path = join(PACKAGE_ROOT, 'example.ts');
  const config = ts.readConfigFile(join(PACKAGE_ROOT, 'tsconfig.json'), (name) =>
    ts.sys.readFile(name),
  );
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, PACKAGE_ROOT, {
    noEmit: true,
  });
  if (lib !== undefined) options.lib = lib;
  const host = ts.createCompilerHost(options);
  const readFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, target) =>
    name === path ? ts.createSourceFile(name, text, target) : readFile(name, target);
  host.fileExists = (name) => name === path || ts.sys.fileExists(name);
  const program = ts.createProgram([path], options, host);
  const client = join(PACKAGE_ROOT, 'src', 'client');
  return program
    .getSourceFiles()
    .filter(({ fileName }) => fileName === path || fileName.startsWith(client))
    .flatMap((file) => ts.getPreEmitDiagnostics(program, file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the example of docs/client.md', () => {
  it('compiles, and a wrong word in it does not', () => {
    expect(faultsOf(example)).toEqual([]);
    expect(faultsOf(example.replace("flow: 'handoff'", "flow: 'handover'"))).not.toEqual([]);
    expect(faultsOf(example.replace('/v1/decisions/{decision_id}', '/v1/decision'))).not.toEqual(
      [],
    );
    expect(faultsOf(example.replace("merchant_id: 'chai-house',", ''))).not.toEqual([]);
    expect(
      faultsOf(example.replace("path: { decision_id: 'arbdec_000000000000' },", '')),
    ).not.toEqual([]);
  });

  it('compiles, and the client with it, in a project that has the DOM', () => {
    expect(faultsOf(example, WITH_DOM)).toEqual([]);
  });

  it('prints what the page shows', async () => {
    const { connectionString } = await freshDatabase();
    const service = await startTestService({ DATABASE_URL: connectionString, SEED_DEMO: 'on' });
    const folder = temporaryDataFolder('arbiter-client-docs-');
    try {
      const entry = pathToFileURL(join(await compiledSources(), 'client', 'index.js')).href;
      const { outputText } = ts.transpileModule(example.replace('commerce-arbiter/client', entry), {
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
      });
      const path = join(folder, 'example.mjs');
      writeFileSync(path, outputText);
      const { stdout } = await promisify(execFile)(process.execPath, [path], {
        env: {
          ARBITER_URL: service.baseUrl,
          ARBITER_API_KEY: demoApiKey(FROZEN_TENANT_ID, 'agent').apiKey,
        },
      });
      expect(stdout).toBe(shown);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
