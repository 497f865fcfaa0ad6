import { readFileSync, statSync } from 'node:fs';
import { err, ok, type Result } from '../../core/kernel/index.js';
import {
  type SignedRequest,
  SigningError,
  type SigningProfile,
  signRequestWithBase,
} from '../../signer/index.js';
import { EXIT } from '../exit-codes.js';
import { jsonText, printableLines } from '../printable.js';
import type { Shelf } from '../shelf.js';
import { parseCount, reading } from '../values.js';
import { readJsonFile } from './json-file.js';

interface SignOptions {
  readonly signingKey: string;
  readonly profile: SigningProfile;
  readonly agentUrl?: string;
  readonly method: string;
  readonly header?: readonly HeaderPair[];
  readonly data?: string;
  readonly nonce?: string;
  readonly label?: string;
  readonly window?: number;
  readonly base?: boolean;
}

type HeaderPair = readonly [name: string, value: string];

const BODY_BYTES_MAX = 16_777_216;
const PROFILES: readonly SigningProfile[] = ['tap-browse', 'tap-pay', 'web-bot-auth'];
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e]*)$/;
const RAW_TARGET = /^https?:\/\/[^/?#]+([^#]*)/i;

const readProfile = reading((text: string): Result<SigningProfile, string> => {
  const profile = PROFILES.find((name) => name === text);
  return profile === undefined ? err(`is none of ${PROFILES.join(', ')}.`) : ok(profile);
});

const readHeader = reading((text: string): Result<HeaderPair, string> => {
  const [, name, value] = HEADER.exec(text) ?? [];
  return name === undefined || value === undefined
    ? err('is no header line "Name: value".')
    : ok([name, value.trim()]);
});

const collected = (text: string, before: readonly HeaderPair[] = []): readonly HeaderPair[] => [
  ...before,
  readHeader(text),
];

/** Signs one request on this machine; nothing is sent, and the private key stays here. */
export function addSign({ program, local }: Shelf): void {
  program
    .command('sign')
    .description('the headers that sign a request of an agent (RFC 9421); asks nobody')
    .argument('<url>', 'the URL as your HTTP client sends it')
    .requiredOption(
      '--signing-key <path>',
      'a file with the private key as a JWK, - for standard input',
    )
    .requiredOption('--profile <name>', PROFILES.join(', '), readProfile)
    .option('--agent-url <url>', 'where the public key is published; needed for web-bot-auth')
    .option('--method <method>', 'GET when left out', 'GET')
    .option('--header <line>', 'a header that is sent; may be given several times', collected)
    .option('--data <path>', 'the file that is sent as the body')
    .option('--nonce <text>', 'random when left out')
    .option('--label <label>', 'sig1 when left out')
    .option(
      '--window <seconds>',
      'from created to expires; 240 when left out',
      reading(parseCount(1, 86_400)),
    )
    .option('--base', 'show the signature base too, on standard error')
    .action(
      local<SignOptions>(async ({ words: [url = ''], options, json }, { out, note }) => {
        const signed = await signedRequest(url, options);
        if (!signed.ok) {
          note(`error: ${signed.error}`);
          return EXIT.usage;
        }
        const { headers, base } = signed.value;
        if (json) {
          out(jsonText({ headers, base }, 2));
          return EXIT.done;
        }
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
        out(printableLines(lines.join('\n')));
        if (options.base === true) note(printableLines(base));
        return EXIT.done;
      }),
    );
}

async function signedRequest(
  url: string,
  options: SignOptions,
): Promise<Result<SignedRequest, string>> {
  const key = readJsonFile(options.signingKey);
  if (!key.ok) return key;
  const body = options.data === undefined ? ok(null) : readBody(options.data);
  if (!body.ok) return body;
  const { method, header = [], profile, agentUrl, nonce, label, window } = options;
  const target = RAW_TARGET.exec(url)?.[1];
  const request = {
    url,
    method,
    headers: header,
    body: body.value,
    // A client like curl sends the path as it is written, without the rewriting of the URL standard.
    ...(target?.startsWith('/') === true ? { target } : {}),
  };
  try {
    return ok(
      await signRequestWithBase(request, {
        key: key.value,
        profile,
        ...(agentUrl === undefined ? {} : { agentUrl }),
        ...(nonce === undefined ? {} : { nonce }),
        ...(label === undefined ? {} : { label }),
        ...(window === undefined ? {} : { windowSeconds: window }),
      }),
    );
  } catch (error) {
    if (error instanceof SigningError) return err(error.message);
    throw error;
  }
}

function readBody(path: string): Result<Buffer, string> {
  try {
    if (statSync(path).size > BODY_BYTES_MAX)
      return err(`${path} is larger than ${BODY_BYTES_MAX} bytes.`);
    return ok(readFileSync(path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return err(`${path} cannot be read (${code}).`);
  }
}
