import { err, ok, type Result } from '../../kernel/index.js';
import { algFault, componentFault, parameterFault, timeFault } from '../policy.js';
import { fault, type SignatureFault } from '../vocabulary.js';
import { type ProfileAnswer, type ProfileSubject } from './profile.js';

export const TAP_BROWSE_TAG = 'agent-browser-auth';
export const TAP_PAY_TAG = 'agent-payer-auth';

const NONCE = /^[\x21-\x7e]{8,256}$/;

/**
 * Visa Trusted Agent Protocol (facts/signatures.md 2.2). Faults, in order: missing_component (`@authority`, `@path`),
 * missing_parameter (created, expires, keyid, alg, nonce), bad_parameter_type (a nonce that is not 8 to 256 visible
 * characters), then those of time and algorithm. The keys are pinned: the request never says where they are.
 */
export function judgeTap(subject: ProfileSubject): Result<ProfileAnswer, SignatureFault> {
  const { signature, context } = subject;
  const { parameters } = signature;
  const { nowSeconds, settings } = context;
  const windowSeconds = settings.tapMaxWindowSeconds;
  const { skewSeconds, maxAgeSeconds } = settings;
  const found =
    componentFault(signature, ['@authority', '@path']) ??
    parameterFault(parameters, ['created', 'expires', 'keyid', 'alg', 'nonce']) ??
    nonceFault(parameters.nonce ?? '') ??
    timeFault(parameters, { nowSeconds, skewSeconds, windowSeconds, maxAgeSeconds }) ??
    algFault(parameters, 'tap', settings);
  if (found !== null) return err(found);
  return ok({
    keySource: { kind: 'pinned' },
    keyId: parameters.keyid ?? '',
    agent: null,
    agentForm: null,
    windowSeconds,
  });
}

const nonceFault = (nonce: string): SignatureFault | null =>
  NONCE.test(nonce)
    ? null
    : fault('bad_parameter_type', 'The nonce is not 8 to 256 visible characters.');
