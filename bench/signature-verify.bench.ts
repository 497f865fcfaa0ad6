import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { createOutboundClient } from '../src/base/platform/index.js';
import { draftSignature, type HttpRequestMessage } from '../src/core/httpsig/index.js';
import { RequestSignatures } from '../src/doors/signatures/request-signatures.js';
import { KeyDirectories } from '../src/trust/peers/index.js';
import { thumbprintOf } from '../test/peers/thumbprint.js';
import { closedLoop, race, report } from './lib/ratio.js';

// What it costs to know who signed a request whose key is at hand: reading the headers, the policy, the base, the look-up of
// the key, the check of the bytes and the verdict, beside the check of the same bytes alone. Both in the form of
// crypto.verify that has a callback, Ed25519. The target, at most 1.35 times, is for 64 callers, as a busy service has them. One
// caller alone is stated beside it: what runs once between two waits for the thread pool runs with cold caches, three to four
// times as long as in a loop, and that is the machine's time more than ours (planning twice takes little longer than once).
const MESSAGES = 512;
const AGENT = 'https://agent.example';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const jwk = publicKey.export({ format: 'jwk' }) as Record<string, unknown>;

const directories = new KeyDirectories({
  sources: {
    directories: 'open',
    named: [{ url: AGENT, keys: [jwk] }],
    tapKeys: [],
    allowTestKeys: false,
  },
  outbound: {
    loopback: null,
    public: createOutboundClient({ allowLoopbackPeers: false, nowMs: Date.now }),
  },
  clock: { monotonicMs: () => performance.now(), realMs: Date.now },
  random: Math.random,
  log: { error: () => undefined },
});
const signatures = new RequestSignatures({
  directories,
  nonces: { claim: () => Promise.resolve('claimed') },
  allowLoopbackPeers: false,
  nowMs: Date.now,
});

/** A read of a catalogue as an agent sends it, everything covered. */
function signedRequest(): {
  readonly message: HttpRequestMessage;
  readonly base: Buffer;
  readonly signature: Buffer;
} {
  const headers: [string, string][] = [
    ['Host', 'shop.example'],
    ['User-Agent', 'agent/1.0 (+https://agent.example)'],
    ['Accept', 'application/json'],
    ['Accept-Encoding', 'gzip, br'],
    ['Signature-Agent', `sig1="${AGENT}"`],
  ];
  const message: HttpRequestMessage = {
    ...{ kind: 'request', method: 'GET', scheme: 'https', authority: 'shop.example' },
    ...{ target: '/catalog.json?limit=50', headers, body: null },
  };
  const created = Math.floor(Date.now() / 1_000) - 1;
  const draft = draftSignature(message, {
    label: 'sig1',
    components: ['@method', '@authority', '@path', '@query', '"signature-agent";key="sig1"'],
    parameters: {
      ...{ created, expires: created + 3_600, keyid: thumbprintOf(jwk), alg: 'ed25519' },
      ...{ nonce: randomBytes(48).toString('base64'), tag: 'web-bot-auth' },
    },
  });
  if (!draft.ok) throw new Error(draft.error.detail);
  const { base, signatureInput, signature: written } = draft.value;
  const signature = sign(null, base, privateKey);
  headers.push(['Signature-Input', signatureInput], ['Signature', written(signature)]);
  return { message, base, signature };
}

const requests = Array.from({ length: MESSAGES }, signedRequest);
let turn = 0;
const next = () => {
  const request = requests[(turn += 1) % MESSAGES];
  if (request === undefined) throw new Error('there are some');
  return request;
};

const raw = () => {
  const { base, signature } = next();
  return new Promise<void>((resolve, reject) => {
    verify(null, base, publicKey, signature, (error, isGood) => {
      if (error === null && isGood) resolve();
      else reject(error ?? new Error('it is good'));
    });
  });
};

const judged = async () => {
  const { status, reason } = await signatures.judge({
    ...{ message: next().message, routeKind: 'read', profiles: ['tap', 'wba'], mode: 'enforce' },
    ...{ world: 'live', allowedAgents: [AGENT], clientAddress: null, claimsNonces: true },
  });
  if (status !== 'verified') throw new Error(reason ?? status);
};

for (const [callers, name, floor] of [
  [64, 'signature-verify', ' (at most 1.35)'],
  [16, 'signature-verify-16', ''],
  [1, 'signature-verify-1', ''],
] as const) {
  report(
    await race({
      name,
      // The sides are swapped, so that the number is what a verification takes and less is better.
      claim: `time of a request signature, judged with a key at hand / time of crypto.verify alone, callback form, Ed25519, ${callers} at a time${floor}`,
      candidate: closedLoop(callers, raw),
      baseline: closedLoop(callers, judged),
    }),
  );
}
