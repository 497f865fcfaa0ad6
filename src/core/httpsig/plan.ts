import { hash } from 'node:crypto';
import { err, ok, type Result } from '../kernel/index.js';
import {
  type FailedLabel,
  type NonceClaim,
  type SignatureCandidate,
  type VerificationPlan,
} from './candidate.js';
import { ComponentReader } from './component-value.js';
import { checkContentDigest } from './content-digest.js';
import { linesOf } from './fields.js';
import { type HttpRequestMessage } from './message.js';
import { fullCoverageFault } from './policy.js';
import { type JudgeProfile, type ProfileAnswer, type ProfileSubject } from './profiles/profile.js';
import { judgeTap, TAP_BROWSE_TAG, TAP_PAY_TAG } from './profiles/tap.js';
import { judgeUcp, ucpAgentOf } from './profiles/ucp.js';
import { judgeWebBotAuth, WEB_BOT_AUTH_TAG } from './profiles/web-bot-auth.js';
import { planned, refused, unsigned } from './settle.js';
import { type VerificationContext } from './settings.js';
import { baseOf } from './signature-base.js';
import { type LabelledSignature, readSignatures } from './signature-input.js';
import { normalisedAuthority, targetFault } from './target.js';
import { fault, type SignatureFault, type SignatureProfile } from './vocabulary.js';

/** What a signature of another protocol is called: neither good nor bad. */
export const UNSUPPORTED_TAG = 'unsupported_tag';

const JUDGES: Readonly<Record<SignatureProfile, JudgeProfile>> = {
  tap: judgeTap,
  wba: judgeWebBotAuth,
  ucp: judgeUcp,
};

const PROFILE_OF_TAG: ReadonlyMap<string | null, SignatureProfile> = new Map([
  [TAP_BROWSE_TAG, 'tap'],
  [TAP_PAY_TAG, 'tap'],
  [WEB_BOT_AUTH_TAG, 'wba'],
]);

/**
 * Everything about the signatures of a request that can be said without a key: nothing is fetched for what fails here
 * (facts/signatures.md 1.1 steps 1 to 7, and 11, whose bytes are at hand).
 * Ends at once: unsigned (no signature of a profile asked for), the faults of {@link readSignatures}, target_form_refused,
 * authority_not_ours, and when no label is left. Per label, in order: its own fault, those of its profile (see
 * profiles/), then on a write or A2A route what full coverage lacks, then the faults of the base and of the digest.
 */
export function planVerification(
  request: HttpRequestMessage,
  context: VerificationContext,
): VerificationPlan {
  const ended = (verdict: ReturnType<typeof unsigned>): VerificationPlan => ({
    kind: 'ended',
    verdict,
  });
  const read = readSignatures(request);
  if (!read.ok) return ended(refused(read.error.reason, read.error.detail));
  const addressed = read.value.flatMap((signature) => {
    const profile = profileOf(signature, { request, context });
    return profile === undefined ? [] : [{ signature, profile }];
  });
  if (addressed.length === 0) {
    const isForeign = read.value.length > 0 || linesOf(request.headers, 'signature').length > 0;
    return ended(unsigned(isForeign ? UNSUPPORTED_TAG : null));
  }
  const wrong = targetFault(request) ?? originFault(request, context);
  if (wrong !== null) return ended(refused(wrong.reason, wrong.detail));
  const candidates: SignatureCandidate[] = [];
  const failed: FailedLabel[] = [];
  const reader = new ComponentReader(request);
  // The content is hashed once, however many labels cover its digest.
  let digest: ReturnType<typeof checkContentDigest> | null = null;
  const checkDigest = () => (digest ??= checkContentDigest(request));
  for (const { signature, profile } of addressed) {
    const { label, parameters } = signature;
    const judged = candidateOf(signature, profile, {
      request,
      context,
      reader,
      checkDigest,
    });
    if (judged.ok) candidates.push(judged.value);
    else
      failed.push({
        label,
        profile,
        fault: judged.error,
        keyId: parameters.keyid,
        tag: parameters.tag,
      });
  }
  return planned(candidates, failed);
}

interface Surroundings {
  readonly request: HttpRequestMessage;
  readonly context: VerificationContext;
}

/** Undefined: meant for somebody else. Null: meant for nobody knows whom. Labels are unsigned and never asked. */
function profileOf(
  { isTagUnreadable, parameters: { tag } }: LabelledSignature,
  { request, context: { profiles } }: Surroundings,
): SignatureProfile | null | undefined {
  if (isTagUnreadable) return null;
  const isUcp = tag === null && ucpAgentOf(request) !== null;
  const profile = isUcp ? 'ucp' : PROFILE_OF_TAG.get(tag);
  return profile !== undefined && profiles.includes(profile) ? profile : undefined;
}

/** A signature captured at another shop behind the same proxy must not verify here. */
function originFault(
  { scheme, authority }: HttpRequestMessage,
  { settings: { publicOrigins } }: VerificationContext,
): SignatureFault | null {
  const normalised = normalisedAuthority(authority, scheme);
  if (normalised === null)
    return fault('component_not_in_message', 'The request names no host, or not exactly one.');
  const origin = `${scheme.toLowerCase()}://${normalised}`;
  return publicOrigins === null || publicOrigins.includes(origin)
    ? null
    : fault('authority_not_ours', 'The request is addressed to an origin that is not ours.');
}

interface LabelSurroundings extends Surroundings {
  readonly reader: ComponentReader;
  readonly checkDigest: () => ReturnType<typeof checkContentDigest>;
}

function candidateOf(
  signature: LabelledSignature,
  profile: SignatureProfile | null,
  { request, context, reader, checkDigest }: LabelSurroundings,
): Result<SignatureCandidate, SignatureFault> {
  if (signature.fault !== null) return err(signature.fault);
  if (profile === null) return err(fault('malformed_header', 'The tag is not readable.'));
  const subject: ProfileSubject = { request, signature, context };
  const refusedComponent = unusableComponent(signature);
  if (refusedComponent !== null) return err(refusedComponent);
  const answer = JUDGES[profile](subject);
  if (!answer.ok) return answer;
  const lacking = fullCoverageFault(request, signature);
  if (lacking !== null && context.routeKind !== 'read') return err(lacking);
  const base = baseOf(reader, signature);
  if (!base.ok) return base;
  const digest = digestFault(signature, checkDigest);
  if (digest !== null) return err(digest);
  const { parameters, label, texts } = signature;
  return ok({
    label,
    profile,
    keySource: answer.value.keySource,
    keyId: answer.value.keyId,
    base: Buffer.from(base.value, 'latin1'),
    signature: signature.signature,
    alg: parameters.alg,
    tag: parameters.tag,
    createdSeconds: parameters.created,
    expiresSeconds: parameters.expires,
    nonce: parameters.nonce,
    nonceClaim: claimOf(subject, profile, answer.value),
    coverage: lacking === null ? 'full' : 'identity',
    covered: texts,
    agent: answer.value.agent,
    agentForm: answer.value.agentForm,
    nowSeconds: context.nowSeconds,
    settings: context.settings,
  });
}

/**
 * What RFC 9421 knows and is not taken from a caller: trailers come after the verdict, `req` and `@status` are of
 * responses, and a literal request target differs between the versions of HTTP that a proxy may speak.
 */
function unusableComponent({ components }: LabelledSignature): SignatureFault | null {
  const unusable = components.find(
    ({ name, parameters }) =>
      parameters.has('tr') ||
      parameters.has('req') ||
      name === '@status' ||
      name === '@request-target',
  );
  return unusable === undefined
    ? null
    : fault('bad_component', `The component ${unusable.text} is not taken in a request here.`);
}

/** A covered digest says nothing until it is compared with the content. */
function digestFault(
  { components }: LabelledSignature,
  checkDigest: LabelSurroundings['checkDigest'],
): SignatureFault | null {
  if (!components.some(({ name }) => name === 'content-digest')) return null;
  const checked = checkDigest();
  return typeof checked === 'string' ? null : checked;
}

function claimOf(
  { signature: { parameters }, context: { nowSeconds, settings } }: ProfileSubject,
  profile: SignatureProfile,
  { keySource, keyId, windowSeconds }: ProfileAnswer,
): NonceClaim | null {
  const { nonce, expires } = parameters;
  if (nonce === null) return null;
  const source = keySource.kind === 'pinned' ? 'pinned' : keySource.url;
  const nonceHash = hash('sha256', nonce, 'base64url');
  const untilSeconds = Math.max(nowSeconds + windowSeconds, expires ?? 0) + settings.skewSeconds;
  return { profile, source, keyId, nonceHash, expiresAtMs: untilSeconds * 1_000 };
}
