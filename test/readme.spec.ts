import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { freshDatabase } from './support/database.js';
import { startTestService } from './support/service.js';

/** The curls of README.md against a fresh service, in their order; what it prints has to be what README.md shows. */

interface Shown {
  readonly curl: string;
  readonly output: string;
}

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

const variables = new Map(
  [...README.matchAll(/^export (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

const shown: readonly Shown[] = [
  ...README.matchAll(/```sh\n(curl [\s\S]*?)\n```\n\n```json\n([\s\S]*?)\n```/g),
].map(([, curl = '', output = '']) => ({ curl, output }));

/** The words of a shell command: quotes are taken off, variables put in (not inside single quotes). */
const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) =>
      single ??
      (double ?? plain ?? '').replace(
        /\$(\w+)/g,
        (_all, name: string) => variables.get(name) ?? '',
      ),
  );

async function run(curl: string, baseUrl: string): Promise<string> {
  const words = wordsOf(curl);
  const url = words.find((word) => word.startsWith('http')) ?? '';
  const after = (flag: string): string[] =>
    words.flatMap((word, index) => (words[index - 1] === flag ? [word] : []));
  const [body] = after('-d');
  const response = await fetch(url.replace('http://localhost:8080', baseUrl), {
    method: body === undefined ? 'GET' : 'POST',
    headers: Object.fromEntries(
      after('-H').map((line) => {
        const [name = '', ...value] = line.split(': ');
        return [name, value.join(': ')];
      }),
    ),
    ...(body === undefined ? {} : { body }),
  });
  return JSON.stringify(await response.json(), null, 2);
}

/** Links depend on the installation's own secret. */
const comparable = (output: string): unknown =>
  JSON.parse(output.replace(/"link": "[0-9a-f]{64}"/g, '"link": "..."'));

it('every curl of README.md answers what README.md shows', async () => {
  const { connectionString } = await freshDatabase();
  const service = await startTestService({ DATABASE_URL: connectionString, SEED_DEMO: 'on' });
  expect(shown.length).toBeGreaterThan(6);
  for (const { curl, output } of shown)
    expect(comparable(await run(curl, service.baseUrl)), curl).toEqual(comparable(output));
});
