import { err, ok, type Result } from '../../kernel/index.js';
import { type AgentUrl, agentUrl, WELL_KNOWN_DIRECTORY } from '../agent-url.js';
import { type AgentForm, type KeySource } from '../candidate.js';
import { headerValue } from '../fields.js';
import { LIMITS } from '../limits.js';
import { type HttpRequestMessage } from '../message.js';
import { type VerificationSettings } from '../settings.js';
import { type LabelledSignature } from '../signature-input.js';
import {
  isInnerList,
  type Member,
  type Parameters,
  plainValue,
  readKnownDictionary,
  readItem,
} from '../structured.js';
import { fault, quoted, type SignatureFault } from '../vocabulary.js';

export interface NamedAgent {
  readonly agent: string;
  readonly agentForm: AgentForm;
  readonly keySource: KeySource;
}

const FIELD = 'signature-agent';

export const signatureAgentOf = (request: HttpRequestMessage): string | null =>
  headerValue(request, FIELD);

/** Keys of the covered members; null among them: the whole field is covered. */
function coveredMembers({ components }: LabelledSignature): readonly (string | null)[] {
  const found: (string | null)[] = [];
  for (const { name, parameters } of components) {
    if (name !== FIELD) continue;
    const key = parameters.get('key');
    if (parameters.size === 0) found.push(null);
    else if (parameters.size === 1 && typeof key === 'string') found.push(key);
  }
  return found;
}

/** Whether the field, or one member of it, is covered in a form that says whose it is. */
export const coversAgent = (signature: LabelledSignature): boolean =>
  coveredMembers(signature).length > 0;

/**
 * The agent that a signature names (facts/signatures.md 3.1, 3.2): a bare string, a dictionary member, or a member with
 * `type`. Faults, in order: malformed_header, component_not_in_message (the covered member is not there),
 * agent_ambiguous, agent_type_unsupported, agent_url_refused.
 */
export function namedAgent(
  text: string,
  signature: LabelledSignature,
  settings: VerificationSettings,
): Result<NamedAgent, SignatureFault> {
  if (text.length > LIMITS.fieldCharacters)
    return err(fault('malformed_header', 'Signature-Agent is too long.'));
  const member = attributedMember(text, signature);
  if (!member.ok) return member;
  const { value, parameters, isBare } = member.value;
  const type = parameters.get('type');
  if (type === undefined) return withoutType(value, isBare ? 'string' : 'dict', settings);
  return withType(value, String(plainValue(type)), settings);
}

interface AgentMember {
  readonly value: string;
  readonly parameters: Parameters;
  readonly isBare: boolean;
}

function attributedMember(
  text: string,
  signature: LabelledSignature,
): Result<AgentMember, SignatureFault> {
  const covered = coveredMembers(signature);
  const keys = covered.filter((key) => key !== null);
  if (text.startsWith('"')) {
    const item = readItem(text, 'Signature-Agent');
    if (!item.ok) return item;
    return keys.length > 0 ? absent(keys[0] ?? '') : memberOf(item.value, true);
  }
  const read = readKnownDictionary(text, 'Signature-Agent');
  if (!read.ok) return read;
  const { members, marks } = read.value;
  if (marks.repeatedKey !== null)
    return err(
      fault('malformed_header', `Signature-Agent holds ${quoted(marks.repeatedKey)} twice.`),
    );
  const named = keys.length > 0 ? keys : [...members.keys()];
  const key = named.length === 1 ? named[0] : named.find((name) => name === signature.label);
  if (key === undefined)
    return err(
      fault(
        'agent_ambiguous',
        'Several agents are covered and none has the label of the signature.',
      ),
    );
  const member = members.get(key);
  return member === undefined ? absent(key) : memberOf(member, false);
}

const absent = (key: string): Result<never, SignatureFault> =>
  err(fault('component_not_in_message', `Signature-Agent has no member ${quoted(key)}.`));

function memberOf(member: Member, isBare: boolean): Result<AgentMember, SignatureFault> {
  const [value, parameters] = member;
  return isInnerList(member) || typeof value !== 'string'
    ? err(fault('malformed_header', 'A member of Signature-Agent is no string.'))
    : ok({ value, parameters, isBare });
}

/** An origin publishes its keys at the well-known path; any other URL is that of a key set itself. */
function withoutType(
  text: string,
  agentForm: AgentForm,
  settings: VerificationSettings,
): Result<NamedAgent, SignatureFault> {
  const url = agentUrl(text, settings);
  if (!url.ok) return url;
  return ok({ agent: url.value.name, agentForm, keySource: sourceOf(url.value) });
}

function sourceOf({ href, origin, isOrigin, isWellKnown }: AgentUrl): KeySource {
  if (isOrigin) return { kind: 'directory', url: `${origin}${WELL_KNOWN_DIRECTORY}` };
  return { kind: isWellKnown ? 'directory' : 'jwks', url: href };
}

function withType(
  text: string,
  type: string,
  settings: VerificationSettings,
): Result<NamedAgent, SignatureFault> {
  if (type !== 'directory' && type !== 'jwks_uri')
    return err(fault('agent_type_unsupported', `Signature-Agent has the type ${quoted(type)}.`));
  const url = agentUrl(text, settings);
  if (!url.ok) return url;
  if (type === 'directory' && !url.value.isOrigin)
    return err(fault('agent_url_refused', `The directory ${quoted(text)} is no origin.`));
  const keySource: KeySource =
    type === 'directory' ? sourceOf(url.value) : { kind: 'jwks', url: url.value.href };
  return ok({ agent: url.value.name, agentForm: 'dict+type', keySource });
}
