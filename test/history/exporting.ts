import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codec, ok } from '../../src/core/kernel/index.js';
import { type Command, defineEvent, event } from '../../src/base/ledger/index.js';
import type { TestService } from '../support/service.js';
import type { TestHouse, TestTenant } from '../support/tenants.js';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly problem: any;
}

/** `GET <path>` with a key; the answer's text as it came, parsed too when it is a problem. */
export async function getAs(
  { baseUrl }: Pick<TestService, 'baseUrl'>,
  apiKey: string,
  path: string,
): Promise<Answered> {
  const response = await fetch(`${baseUrl}${path}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('problem+json') === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    problem: isJson ? JSON.parse(text) : null,
  };
}

const filled = defineEvent('history_test.filled', codec.record({ text: codec.text }));

/** Entries of a test's own, `count` in one command. */
export const fill = (tenant: TestTenant, count: number, text = 'नमस्ते "\\\n'): Command<null> => ({
  ...tenant.context(),
  name: 'history_test.fill',
  reads: [],
  decide: () => ok({ events: Array.from({ length: count }, () => event(filled, { text })) }),
  answer: () => null,
});

export async function fillLedger(house: TestHouse, tenant: TestTenant, count: number) {
  for (let left = count; left > 0; left -= 2_000) {
    const done = await house.writer.execute(fill(tenant, Math.min(left, 2_000)));
    if (!done.ok) throw new Error(JSON.stringify(done.error));
  }
}

const ROOT = new URL('../../', import.meta.url).pathname;

/** The offline verifiers that can run here, each with the same options. */
const VERIFIERS: readonly (readonly [string, readonly string[]])[] = [
  [process.execPath, [join(ROOT, 'scripts/verify-ledger.mjs')]],
  ['python3', [join(ROOT, 'scripts/verify_ledger.py')]],
];

export interface Verdict {
  readonly exit: number | null;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly answer: any;
}

/** What every verifier that can run here says of a file; they must say the same but for the message. */
export function verdictsOf(
  file: string | Buffer,
  options: readonly string[] = [],
): readonly Verdict[] {
  const folder = mkdtempSync(join(tmpdir(), 'arbiter-export-'));
  try {
    const path = join(folder, 'export');
    writeFileSync(path, file);
    return VERIFIERS.filter(
      ([program, [script = '']]) =>
        existsSync(script) && spawnSync(program, ['--version']).status === 0,
    ).map(([program, script]) => {
      const words = [...script, path, '--json', ...options];
      const { status, stdout } = spawnSync(program, words, { encoding: 'utf8' });
      const answer = JSON.parse(stdout) as Record<string, unknown>;
      // The one member in which the two may differ.
      delete answer['message'];
      return { exit: status, answer };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
