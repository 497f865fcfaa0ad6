import { err, ok, type Result } from '../../kernel/index.js';
import { type AgentUrl, agentUrl } from '../agent-url.js';
import { headerValue } from '../fields.js';
import { LIMITS } from '../limits.js';
import { type HttpRequestMessage } from '../message.js';
import { algFault, componentFault, hasBody, parameterFault, timeFault } from '../policy.js';
import { type VerificationSettings } from '../settings.js';
import { isInnerList, readKnownDictionary } from '../structured.js';
import { fault, type SignatureFault } from '../vocabulary.js';
import { type ProfileAnswer, type ProfileSubject } from './profile.js';

const WITH_IDEMPOTENCY_KEY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** The header by which a UCP platform names its profile. */
export const ucpAgentOf = (request: HttpRequestMessage): string | null =>
  headerValue(request, 'ucp-agent');

/**
 * UCP's own signature, which has no tag (facts/protocols.md 1.11). Faults, in order: missing_component, digest_missing,
 * missing_parameter (keyid), those of time (`created` and `expires` may be left out: the idempotency key is UCP's defence
 * against replay) and algorithm, malformed_header (UCP-Agent), agent_url_refused.
 */
export function judgeUcp(subject: ProfileSubject): Result<ProfileAnswer, SignatureFault> {
  const { request, signature, context } = subject;
  const { parameters } = signature;
  const { nowSeconds, settings } = context;
  const { skewSeconds, ucpMaxAgeSeconds } = settings;
  // Where `expires` is given it decides; otherwise the age of `created` does.
  const maxAgeSeconds = parameters.expires === null ? ucpMaxAgeSeconds : settings.maxAgeSeconds;
  const windowSeconds = settings.webBotAuthMaxWindowSeconds;
  const found =
    componentFault(signature, requiredOf(request, settings)) ??
    parameterFault(parameters, ['keyid']) ??
    timeFault(parameters, { nowSeconds, skewSeconds, windowSeconds, maxAgeSeconds }) ??
    algFault(parameters, 'ucp', settings);
  if (found !== null) return err(found);
  const profile = profileUrlOf(ucpAgentOf(request) ?? '', settings);
  if (!profile.ok) return profile;
  return ok({
    keySource: { kind: 'ucp_profile', url: profile.value.href },
    keyId: parameters.keyid ?? '',
    agent: profile.value.name,
    agentForm: 'dict',
    windowSeconds: ucpMaxAgeSeconds,
  });
}

function requiredOf(
  request: HttpRequestMessage,
  { ucpAgentMustBeCovered }: VerificationSettings,
): readonly string[] {
  const required = ['@method', '@authority', '@path'];
  if (request.target.includes('?')) required.push('@query');
  if (ucpAgentMustBeCovered) required.push('ucp-agent');
  if (WITH_IDEMPOTENCY_KEY.has(request.method)) required.push('idempotency-key');
  if (hasBody(request)) required.push('content-digest', 'content-type');
  return required;
}

function profileUrlOf(
  text: string,
  settings: VerificationSettings,
): Result<AgentUrl, SignatureFault> {
  if (text.length > LIMITS.fieldCharacters)
    return err(fault('malformed_header', 'UCP-Agent is too long.'));
  const read = readKnownDictionary(text, 'UCP-Agent');
  if (!read.ok) return read;
  const member = read.value.members.get('profile');
  const value = member === undefined || isInnerList(member) ? null : member[0];
  return typeof value === 'string'
    ? agentUrl(value, settings)
    : err(fault('malformed_header', 'UCP-Agent has no string "profile".'));
}
