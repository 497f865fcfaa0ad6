import { err, ok, type Result } from '../kernel/index.js';
import { parseVkey, type VerifierKey } from './vkey.js';

/** A log or witness of a policy; `url` is what reaches it, where the policy says so. */
export interface PolicyParty {
  readonly key: VerifierKey;
  readonly url: string | null;
}

export interface PolicyWitness extends PolicyParty {
  /** The name inside the policy; the name the witness signs under is `key.name`. */
  readonly name: string;
}

export interface PolicyGroup {
  readonly name: string;
  /** How many of the members must have witnessed. */
  readonly threshold: number;
  readonly members: readonly string[];
}

/** Which witnesses are enough (C2SP tlog-policy). */
export interface WitnessPolicy {
  readonly logs: readonly PolicyParty[];
  readonly witnesses: readonly PolicyWitness[];
  readonly groups: readonly PolicyGroup[];
  /** Name of a witness or group; null = `none`, no witness is asked for. */
  readonly quorum: string | null;
}

const NONE = 'none';
// eslint-disable-next-line no-control-regex -- C2SP tlog-policy: the only control characters are tab and line feed
const NO_POLICY_TEXT = /[\u0000-\u0008\u000b-\u001f\u007f]/u;
const COUNT = /^[1-9][0-9]{0,5}$/;

interface Draft {
  readonly logs: PolicyParty[];
  readonly witnesses: PolicyWitness[];
  readonly groups: PolicyGroup[];
  /** Names that are defined; true = already a member of a group. */
  readonly names: Map<string, boolean>;
  quorum: string | null | undefined;
}

/**
 * Reads a policy: lines `log <vkey> [<url>]`, `witness <name> <vkey> [<url>]`, `group <name> <all|any|k> <members...>`
 * and one `quorum <name|none>`; items stand between spaces and tabs, `#` starts a comment line. The error names the line.
 * Refused: other lines, keys that {@link parseVkey} refuses or of the wrong type (a log's is 01, a witness's 04), one
 * public key twice, names used twice, not defined before, or called `none`, a name that is a member of two groups, a
 * threshold that cannot be met, no quorum or two.
 */
export function parsePolicy(text: string): Result<WitnessPolicy, string> {
  if (NO_POLICY_TEXT.test(text)) return err('the policy holds control characters');
  const draft: Draft = {
    logs: [],
    witnesses: [],
    groups: [],
    names: new Map(),
    quorum: undefined,
  };
  for (const [index, line] of text.split('\n').entries()) {
    const items = line.split(/[ \t]+/u).filter((item) => item !== '');
    const [keyword = '#', ...rest] = items;
    if (keyword.startsWith('#')) continue;
    const fault = readLine(draft, keyword, rest);
    if (fault !== null) return err(`line ${index + 1}: ${fault}`);
  }
  const { logs, witnesses, groups, quorum } = draft;
  return quorum === undefined
    ? err('the policy has no quorum line')
    : ok({ logs, witnesses, groups, quorum });
}

/** What is wrong with the line, or null. */
function readLine(draft: Draft, keyword: string, items: readonly string[]): string | null {
  switch (keyword) {
    case 'log':
      return readLog(draft, items);
    case 'witness':
      return readWitness(draft, items);
    case 'group':
      return readGroup(draft, items);
    case 'quorum':
      return readQuorum(draft, items);
    default:
      return 'a line starts with log, witness, group or quorum';
  }
}

function readLog(draft: Draft, [vkey, url, ...rest]: readonly string[]): string | null {
  if (vkey === undefined || rest.length > 0) return 'a log is "log <vkey> [<url>]"';
  const key = parseVkey(vkey);
  if (!key.ok) return key.error;
  if (key.value.kind !== 'ed25519') return 'the key of a log is of type 01';
  if (holdsKey(draft.logs, key.value)) return 'two logs have one public key';
  draft.logs.push({ key: key.value, url: url ?? null });
  return null;
}

function readWitness(draft: Draft, [name, vkey, url, ...rest]: readonly string[]): string | null {
  if (name === undefined || vkey === undefined || rest.length > 0)
    return 'a witness is "witness <name> <vkey> [<url>]"';
  const key = parseVkey(vkey);
  if (!key.ok) return key.error;
  if (key.value.kind !== 'cosignature') return 'the key of a witness is of type 04';
  if (holdsKey(draft.witnesses, key.value)) return 'two witnesses have one public key';
  const fault = defineName(draft, name);
  if (fault === null) draft.witnesses.push({ name, key: key.value, url: url ?? null });
  return fault;
}

function readGroup(draft: Draft, [name, count = '', ...members]: readonly string[]): string | null {
  if (name === undefined || members.length === 0)
    return 'a group is "group <name> <all|any|k> <members...>"';
  for (const member of members) {
    const isMember = draft.names.get(member);
    if (isMember === undefined) return `${member} is not defined on a line before`;
    if (isMember) return `${member} is a member of a group already`;
    draft.names.set(member, true);
  }
  const threshold = thresholdOf(count, members.length);
  if (threshold === null) return `the threshold is all, any or 1 to ${members.length}`;
  const fault = defineName(draft, name);
  if (fault === null) draft.groups.push({ name, threshold, members });
  return fault;
}

function thresholdOf(count: string, memberCount: number): number | null {
  if (count === 'all') return memberCount;
  if (count === 'any') return 1;
  return COUNT.test(count) && Number(count) <= memberCount ? Number(count) : null;
}

function readQuorum(draft: Draft, [name, ...rest]: readonly string[]): string | null {
  if (name === undefined || rest.length > 0) return 'a quorum is "quorum <name>"';
  if (draft.quorum !== undefined) return 'the policy has two quorum lines';
  if (name !== NONE && !draft.names.has(name)) return `${name} is not defined on a line before`;
  draft.quorum = name === NONE ? null : name;
  return null;
}

function defineName(draft: Draft, name: string): string | null {
  if (name === NONE) return `nothing is called ${NONE}`;
  if (draft.names.has(name)) return `${name} is defined twice`;
  draft.names.set(name, false);
  return null;
}

const holdsKey = (parties: readonly PolicyParty[], key: VerifierKey): boolean =>
  parties.some((party) => Buffer.compare(party.key.publicKey, key.publicKey) === 0);

/** Whether these verified keys (see `verifyNote`) are enough. Each witness counts once. */
export function isQuorum(policy: WitnessPolicy, verifiedKeys: readonly VerifierKey[]): boolean {
  if (policy.quorum === null) return true;
  const given = new Set(verifiedKeys.map(({ text }) => text));
  const hasWitnessed = new Map<string, boolean>(
    policy.witnesses.map(({ name, key }) => [name, given.has(key.text)]),
  );
  // A group's members stand on lines before its own.
  for (const { name, threshold, members } of policy.groups) {
    const count = members.filter((member) => hasWitnessed.get(member) === true).length;
    hasWitnessed.set(name, count >= threshold);
  }
  return hasWitnessed.get(policy.quorum) === true;
}
