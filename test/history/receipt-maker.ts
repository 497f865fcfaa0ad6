import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  checkpointText,
  cosignatureMessage,
  cosignatureSignature,
  entryBodyText,
  entryLink,
  formatNote,
  formatTlogProof,
  GENESIS_PREV,
  inclusionSpans,
  leafHash,
  nodeHash,
  signatureLine,
  TreeBuilder,
  type VerifierKey,
  vkeyOf,
} from '../../src/core/chain/index.js';
import type { CanonicalValue } from '../../src/core/kernel/index.js';
import {
  claimsOfBody,
  compactToken,
  type NamedKey,
  parsePublicJwk,
  type Receipt,
  RECEIPT_FORMAT,
  RECEIPT_TYP,
  RECEIPT_VERSION,
  type ReceiptEntry,
  type ReceiptOptions,
  statedEntry,
  type StatementClaims,
  tokenSigningInput,
} from '../../src/core/proofs/index.js';

/** Receipts as an honest issuer makes them, of parts that a test damages before they are put together. */

export const TENANT = 'tnt_receipts';
export const ORIGIN = `ledger.example/${TENANT}`;
export const COSIGNED_AT_S = 1_796_000_000;

type Mutable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

export interface Draft {
  claims: Mutable<StatementClaims>;
  entry: Mutable<ReceiptEntry> | null;
  witnessed: boolean;
  index: bigint;
  hashes: Uint8Array[];
  checkpointOrigin: string;
  /** Bytes that are signed in place of the checkpoint by the named signer. */
  wrongly: Set<'statement' | 'log' | 'witness'>;
  issuerJwk: Record<string, string>;
  /** Another name under which the first witness cosigns once more. */
  twin: VerifierKey | null;
}

interface Ed25519 {
  readonly privateKey: KeyObject;
  readonly publicKey: Buffer;
}

function ed25519(): Ed25519 {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { privateKey, publicKey: Buffer.from(x, 'base64url') };
}

const data = (more: object) => ({
  decision_id: 'arbdec_0123456789ab',
  merchant_id: 'chai-house',
  agent_id: 'agt_1',
  order_id: null,
  dry_run: false,
  usable: true,
  usable_reason: null,
  allow: { cart_hash: 'ab'.repeat(32), expires_at: '2026-11-30T09:40:00.000Z' },
  judged: { kind: 'purchase', facts: { cart: { currency: 'INR', total_minor: '91800' } } },
  decision: {
    flow: 'handoff',
    ruleset: '3',
    outcome: 'allow',
    failing_rule: null,
    reason: null,
  },
  ...more,
});

const body = (seq: number, type: string, content: CanonicalValue): string =>
  entryBodyText({
    id: `ent_${seq}`,
    type,
    atMs: Date.UTC(2026, 10, 30, 9, 30),
    actor: { role: 'agent', id: 'key_1' },
    requestId: `req_${seq}`,
    data: content,
  });

/** Entries 0 and 1 are not sealed; entry 6 is the decision: leaf 4 of 11. */
const FIRST_SEALED_SEQ = 2;
const LEAVES = 11;
const INDEX = 4;

function sealedEntries(decision: object): ReceiptEntry[] {
  const entries: ReceiptEntry[] = [];
  let prev = GENESIS_PREV;
  for (let seq = FIRST_SEALED_SEQ; entries.length < LEAVES; seq += 1) {
    const isDecision = entries.length === INDEX;
    const text = isDecision
      ? body(seq, 'decision.recorded', data(decision))
      : body(seq, 'toy.happened', { seq });
    const mac = createHash('sha256').update(`mac ${seq}`).digest('hex');
    const place = { tenantId: TENANT, seq, kid: 'k1', prev, body: text };
    const link = entryLink(place, mac);
    entries.push({ seq, kid: 'k1', prev, mac, link, body: text });
    prev = link;
  }
  return entries;
}

/** The Merkle hash of the leaves from `begin` to before `end`, by the definition of RFC 6962. */
function hashOf(leaves: readonly Uint8Array[], begin: number, end: number): Uint8Array {
  const count = end - begin;
  const [only] = leaves.slice(begin, end);
  if (count === 1 && only !== undefined) return only;
  let left = 1;
  while (left * 2 < count) left *= 2;
  return nodeHash(hashOf(leaves, begin, begin + left), hashOf(leaves, begin + left, end));
}

export class ReceiptMaker {
  readonly #issuer: KeyObject;
  readonly #log = ed25519();
  readonly #witnesses = [ed25519(), ed25519()] as const;
  readonly #other = ed25519();
  readonly issuerKey: NamedKey;
  readonly otherIssuerKey: NamedKey;
  readonly logKey: VerifierKey;
  readonly witnessKeys: readonly VerifierKey[];
  private readonly entries: readonly ReceiptEntry[];

  /** `decision` changes members of the decision's entry. */
  constructor(
    private readonly alg: 'EdDSA' | 'ES256' = 'EdDSA',
    decision: object = {},
  ) {
    this.entries = sealedEntries(decision);
    const pair =
      alg === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#issuer = pair.privateKey;
    this.issuerKey = this.named(pair.publicKey);
    const another = generateKeyPairSync('ed25519').publicKey;
    this.otherIssuerKey = { ...this.named(another), kid: this.issuerKey.kid };
    this.logKey = vkeyOf('ed25519', ORIGIN, this.#log.publicKey);
    this.witnessKeys = this.#witnesses.map(({ publicKey }, place) =>
      vkeyOf('cosignature', `witness-${place}.example`, publicKey),
    );
  }

  private named(publicKey: KeyObject): NamedKey {
    const key = parsePublicJwk(publicKey.export({ format: 'jwk' }));
    if (!key.ok) throw new Error(key.error);
    return { kid: key.value.thumbprint, key: key.value };
  }

  /** The set that the issuer publishes. */
  jwks(): string {
    return JSON.stringify({ keys: [this.draft().issuerJwk] });
  }

  /** What a careful reader gives and asks for. */
  options(): Mutable<ReceiptOptions> {
    return {
      issuerKeys: [this.issuerKey],
      witnessKeys: [this.logKey, ...this.witnessKeys],
      witnessQuorum: 2,
      expectedTenant: TENANT,
      requireWitnessed: true,
    };
  }

  draft(isOpen = true): Draft {
    const leaves = this.entries.map(({ link }) => leafHash(Buffer.from(link, 'hex')));
    const entry = this.entries[INDEX];
    const told = entry === undefined ? null : claimsOfBody(entry.body);
    if (entry === undefined || told?.ok !== true) throw new Error('no decision');
    return {
      claims: {
        ...told.value,
        iss: ORIGIN,
        tenant_id: TENANT,
        world: 'live',
        iat: 1_796_000_001,
        entry: statedEntry(entry, isOpen),
        log_key: this.logKey.text,
        witnessed: true,
        self_witnesses: ['witness-0.example'],
      },
      entry: isOpen ? { ...entry } : null,
      witnessed: true,
      index: BigInt(INDEX),
      hashes: inclusionSpans(INDEX, LEAVES).map(({ begin, end }) => hashOf(leaves, begin, end)),
      checkpointOrigin: ORIGIN,
      wrongly: new Set(),
      issuerJwk: {
        ...this.issuerKey.key.jwk,
        kid: this.issuerKey.kid,
        alg: this.alg,
        use: 'sig',
      },
      twin: null,
    };
  }

  receipt(draft: Draft): Receipt {
    const header = { alg: this.alg, kid: this.issuerKey.kid, typ: RECEIPT_TYP };
    const input = tokenSigningInput(header, draft.claims as unknown as CanonicalValue);
    const signed = Buffer.from(draft.wrongly.has('statement') ? `${input}x` : input);
    const signature =
      this.alg === 'EdDSA'
        ? sign(null, signed, this.#issuer)
        : sign('sha256', signed, { key: this.#issuer, dsaEncoding: 'ieee-p1363' });
    return {
      format: RECEIPT_FORMAT,
      version: RECEIPT_VERSION,
      witnessed: draft.witnessed,
      statement: compactToken(input, signature),
      entry: draft.entry,
      proof: formatTlogProof({
        index: draft.index,
        hashes: draft.hashes,
        checkpoint: this.note(draft),
      }),
      issuer_jwk: draft.issuerJwk as unknown as Receipt['issuer_jwk'],
    };
  }

  private note({ checkpointOrigin, wrongly, twin }: Draft): string {
    const tree = new TreeBuilder();
    for (const { link } of this.entries) tree.pushLeafHash(leafHash(Buffer.from(link, 'hex')));
    const text = checkpointText({
      origin: checkpointOrigin,
      size: BigInt(LEAVES),
      root: tree.root(),
      extensions: [],
    });
    const logSignature = sign(
      null,
      Buffer.from(text),
      (wrongly.has('log') ? this.#other : this.#log).privateKey,
    );
    const cosigned = (key: VerifierKey, privateKey: KeyObject, timeSeconds: number) => {
      const message = cosignatureMessage(timeSeconds, wrongly.has('witness') ? 'x\n' : text);
      const bytes = cosignatureSignature(timeSeconds, sign(null, message, privateKey));
      return signatureLine(key.name, key.keyId, bytes);
    };
    const cosignatures = [...this.witnessKeys, ...(twin === null ? [] : [twin])].map((key, place) =>
      cosigned(
        key,
        (this.#witnesses[place] ?? this.#witnesses[0]).privateKey,
        COSIGNED_AT_S + place,
      ),
    );
    return formatNote(text, [
      signatureLine(this.logKey.name, this.logKey.keyId, logSignature),
      ...cosignatures,
    ]);
  }
}
