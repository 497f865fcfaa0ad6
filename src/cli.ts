// The room's face loads the whole service; a command that only asks one over HTTP does not wait for that.
import { commandLineSettings } from './base/platform/config/command-line.js';
import { SERVICE_VERSION } from './base/platform/service-version.js';
import { EXIT } from './cli/exit-codes.js';
import { printableLines } from './cli/printable.js';
import { runCommandLine } from './cli/program.js';

// A reader that has seen enough (`| head`) ends this program quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') console.error(error.message);
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.broken);
});

const line = (stream: NodeJS.WriteStream) => (text: string) => {
  stream.write(`${printableLines(text)}\n`);
};

try {
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    version: SERVICE_VERSION,
    settings: commandLineSettings(),
    isWatched: process.stdout.isTTY && process.stderr.isTTY,
    out: line(process.stdout),
    note: line(process.stderr),
    writeError: (text) => process.stderr.write(text),
  });
} catch (error) {
  console.error(`A fault of this program: ${error instanceof Error ? error.message : 'unknown'}`);
  process.exitCode = EXIT.broken;
}
