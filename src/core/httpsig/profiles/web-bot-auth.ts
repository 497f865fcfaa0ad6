import { err, ok, type Result } from '../../kernel/index.js';
import { algFault, covers, parameterFault, timeFault } from '../policy.js';
import { fault, type SignatureFault } from '../vocabulary.js';
import { type ProfileAnswer, type ProfileSubject } from './profile.js';
import { coversAgent, namedAgent, signatureAgentOf } from './signature-agent.js';

export const WEB_BOT_AUTH_TAG = 'web-bot-auth';

const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;

/**
 * Web Bot Auth (facts/signatures.md 3.2). Faults, in order: target_not_covered (neither `@authority` nor `@target-uri`),
 * agent_not_covered (Signature-Agent is sent and not covered), missing_parameter (created, expires, keyid), those of time
 * and algorithm, keyid_not_thumbprint, component_not_in_message or agent_absent (no Signature-Agent), then those of
 * {@link namedAgent}.
 */
export function judgeWebBotAuth(subject: ProfileSubject): Result<ProfileAnswer, SignatureFault> {
  const { request, signature, context } = subject;
  const { parameters } = signature;
  const { nowSeconds, settings } = context;
  const windowSeconds = settings.webBotAuthMaxWindowSeconds;
  const { skewSeconds, maxAgeSeconds } = settings;
  const agentText = signatureAgentOf(request);
  const found =
    (covers(signature, '@authority') || covers(signature, '@target-uri')
      ? null
      : fault('target_not_covered', 'Neither "@authority" nor "@target-uri" is covered.')) ??
    (agentText === null || coversAgent(signature)
      ? null
      : fault('agent_not_covered', 'Signature-Agent is sent and not covered.')) ??
    parameterFault(parameters, ['created', 'expires', 'keyid']) ??
    timeFault(parameters, { nowSeconds, skewSeconds, windowSeconds, maxAgeSeconds }) ??
    algFault(parameters, 'wba', settings) ??
    thumbprintFault(parameters.keyid ?? '');
  if (found !== null) return err(found);
  if (agentText === null) {
    return coversAgent(signature)
      ? err(fault('component_not_in_message', 'Signature-Agent is covered and not sent.'))
      : err(fault('agent_absent', 'No Signature-Agent says where the key is published.'));
  }
  const agent = namedAgent(agentText, signature, settings);
  if (!agent.ok) return agent;
  return ok({ ...agent.value, keyId: parameters.keyid ?? '', windowSeconds });
}

const thumbprintFault = (keyId: string): SignatureFault | null =>
  THUMBPRINT.test(keyId)
    ? null
    : fault('keyid_not_thumbprint', 'The keyid is no base64url SHA-256 thumbprint of a key.');
