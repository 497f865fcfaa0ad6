/**
 * Runs scripts/verify-ledger.mjs, the file that is handed out, once for each list of arguments: a process for each would
 * take minutes. The file runs when it is imported, so it is imported again for each.
 *
 * Standard input: a JSON array of argument lists. Standard output: a JSON array of {exit, output}.
 */
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

const script = resolve('scripts/verify-ledger.mjs');
const print = process.stdout.write.bind(process.stdout);

async function run(given, index) {
  process.argv = [process.execPath, script, ...given];
  process.exitCode = undefined;
  const output = new Promise((told) => {
    process.stdout.write = (line) => {
      told(String(line));
      return true;
    };
  });
  await import(`${pathToFileURL(script)}?run=${index}`);
  return { output: await output, exit: process.exitCode };
}

const results = [];
for (const [index, given] of JSON.parse(await text(process.stdin)).entries()) {
  results.push(await run(given, index));
}
process.exitCode = 0;
print(JSON.stringify(results));
