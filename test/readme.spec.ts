import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { ABOVE_THE_PASSPORT, ALLOWED_HANDOFF } from '../src/demo/purchases.js';
import { demoApiKey, FROZEN_TENANT_ID } from '../src/demo/demo-world.js';
import { freshDatabase } from './support/database.js';
import { startTestService } from './support/service.js';

/** The curls of README.md against a fresh service, in their order; what it prints has to be what README.md shows. */

interface Shown {
  readonly curl: string;
  readonly output: string;
}

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

const written: Readonly<Record<string, string>> = Object.fromEntries(
  [...README.matchAll(/^export (\w+)=(\S+)/gm)].map(([, name = '', value = '']) => [name, value]),
);
let variables: Record<string, string> = {};

const shown: readonly Shown[] = [
  ...README.matchAll(
    /```sh\n(?:export .+\n)*(curl [\s\S]*?)\n```\n\n```(?:json|text)\n([\s\S]*?)\n```/g,
  ),
].map(([, curl = '', output = '']) => ({ curl, output }));

/** The words of a shell command: quotes are taken off, variables put in (not inside single quotes). */
const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) =>
      single ??
      (double ?? plain ?? '').replace(/\$(\w+)/g, (_all, name: string) => variables[name] ?? ''),
  );

/** The reader puts in ids and the address from the last answer that has them; so does this one. */
function takeFrom(answer: string): void {
  for (const [name, pattern] of [
    ['DECISION', /"decision_id": "(arbdec_\w+)"/],
    ['PAYMENT', /"payment_id": "(pay_\w+)"/],
    ['URL', /"url": "(http[^"]+)"/],
  ] as const) {
    const value = pattern.exec(answer)?.[1];
    if (value !== undefined) variables[name] = value;
  }
}

async function run(curl: string): Promise<string> {
  const words = wordsOf(curl);
  const url = words.find((word) => word.startsWith('http')) ?? '';
  const after = (flag: string): string[] =>
    words.flatMap((word, index) => (words[index - 1] === flag ? [word] : []));
  const [body] = after('-d');
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    headers: Object.fromEntries([
      ...(body === undefined ? [] : [['content-type', 'application/x-www-form-urlencoded']]),
      ...after('-H').map((line) => {
        const [name = '', ...value] = line.split(': ');
        return [name, value.join(': ')];
      }),
    ]),
    ...(body === undefined ? {} : { body }),
  });
  if (words.includes('-w')) return String(response.status);
  const text = JSON.stringify(await response.json(), null, 2);
  takeFrom(text);
  return text;
}

/** Links depend on the installation's own secret; ends of pay pages, names at the provider and requests are drawn. */
const comparable = (output: string): string =>
  output
    .replace(/"link": "[0-9a-f]{64}"/g, '"link": "..."')
    .replace(/"url": "http:[^"]+\/pay\/[^"]+"/g, '"url": "..."')
    .replace(/"(provider_ref|request_id)": "[^"]+"/g, '"$1": "..."');

/** What stands in the ledger before is told by ids and numbers of entries. */
const withoutIds = (output: string): string =>
  output
    .replace(/\b(arbdec|pay|rfd|ent)_[0-9a-f]+/g, '$1_...')
    .replace(/"seq": \d+/g, '"seq": 0')
    .replace(/"next_cursor": "\d+"/g, '"next_cursor": "..."');

async function openDemo(): Promise<string> {
  const { connectionString } = await freshDatabase();
  const { baseUrl } = await startTestService({
    DATABASE_URL: connectionString,
    SEED_DEMO: 'on',
    JOBS: 'on',
  });
  variables = { ...written, API: baseUrl };
  return baseUrl;
}

async function tour(seenAs: (output: string) => string): Promise<void> {
  expect(shown.length).toBeGreaterThan(10);
  for (const { curl, output } of shown) {
    const check = async () => expect(seenAs(await run(curl)), curl).toBe(seenAs(output));
    // What a webhook changes comes a tick later; looking changes nothing.
    await (curl.includes(' -d ') ? check() : vi.waitFor(check, { timeout: 15_000, interval: 100 }));
  }
}

it('every curl of README.md answers what README.md shows', async () => {
  await openDemo();
  await tour(comparable);
  expect(variables['PAYMENT']).toBe(written['PAYMENT']);
  expect(shown.find(({ curl }) => curl.includes('$DECISION'))?.output).toContain(
    `"decision_id": "${written['DECISION']}"`,
  );
});

it('and so it does after the two curls that the start prints, but for ids', async () => {
  const baseUrl = await openDemo();
  for (const body of [ALLOWED_HANDOFF, ABOVE_THE_PASSPORT]) {
    const { status } = await fetch(`${baseUrl}/v1/decisions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${demoApiKey(FROZEN_TENANT_ID, 'agent').apiKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    expect(status).toBe(200);
  }
  await tour((output) => withoutIds(comparable(output)));
});
