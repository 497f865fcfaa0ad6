import type { SignatureReason } from '../../core/httpsig/index.js';

/** What the signer can do about each reason. A reason without advice does not compile. */
export const ADVICE: Readonly<Record<SignatureReason, string>> = {
  malformed_header:
    'Write Signature-Input and Signature as dictionaries (RFC 9651): sig1=("@method" "@authority");created=1 and sig1=:base64:.',
  label_mismatch: 'Give every label of Signature-Input its value in Signature, and no other.',
  duplicate_label: 'Use each label once; add a second signature under another label.',
  duplicate_component: 'List each component once.',
  bad_component:
    'Cover components by their lower-case names, with parameters that fit them; not @status, @request-target, ;req or ;tr in a request.',
  missing_component:
    'Cover @method, @authority, @path, @query when there is one, and content-digest when there is a body.',
  missing_parameter:
    'Add the parameters that the profile asks for: created, expires, keyid, for TAP also alg and nonce.',
  bad_parameter_type:
    'Write created and expires as whole numbers, keyid, alg, nonce and tag as quoted strings.',
  component_not_in_message:
    'Cover only what the request really holds; a proxy may have dropped a header.',
  target_not_covered: 'Cover @authority, or @target-uri.',
  agent_not_covered: 'Cover the member of Signature-Agent: "signature-agent";key="sig1".',
  agent_ambiguous: 'Cover one member of Signature-Agent, best the one named like the label.',
  window_too_long:
    'Let expires lie at most 480 seconds (TAP) or 24 hours (Web Bot Auth) behind created.',
  expired: 'Sign every request anew; see that your clock is right.',
  not_yet_valid: 'See that your clock is right: created lies more than 60 seconds ahead of ours.',
  algorithm_not_allowed: 'Use ed25519, ecdsa-p256-sha256, ecdsa-p384-sha384 or rsa-pss-sha512.',
  algorithm_mismatch: 'Leave alg out, or name the algorithm of the key.',
  keyid_not_thumbprint: 'Use the base64url SHA-256 thumbprint of the key (RFC 7638) as keyid.',
  bad_signature:
    'Compare the base below with the text that you signed, byte by byte; then the key with the published one.',
  digest_missing: 'Send Content-Digest with the body and cover it.',
  digest_mismatch: 'Compute Content-Digest over the exact bytes that are sent.',
  replayed: 'Use a new nonce for every request, repeats included.',
  authority_not_ours: 'Sign for the host that you call, and call an origin of this shop.',
  target_form_refused:
    'Send path and query of visible ASCII characters, without "#", and one Host line.',
  agent_absent: 'Send Signature-Agent with the https URL under which the key is published.',
  agent_url_refused: 'Publish the key under an https URL with a public name, on port 443.',
  agent_type_unsupported: 'Name the directory or the JWK Set itself in Signature-Agent.',
  agent_not_allowed: 'This shop takes the agents on its own list alone: ask it.',
  key_source_not_allowed:
    'This deployment asks the directories on its own list alone: ask its operator.',
  key_source_unavailable:
    'See that the directory answers 200 with a JWK Set of at most 64 KiB and 32 keys within 2.5 seconds, without redirects.',
  key_not_found: 'Publish the key in the directory; it is asked again at most once a minute.',
  key_expired: 'Publish a key whose nbf and exp (in seconds) hold now.',
  key_pending: 'The directory is being asked: sign anew and repeat.',
  busy: 'Too many directories are being asked: sign anew and repeat.',
  replay_state_unavailable: 'The store of used nonces is away: sign anew and repeat.',
  verifier_error: 'A fault of ours: sign anew and repeat; tell us the request id if it stays.',
  test_key: 'Use a key of your own: this one is published in a standard.',
  no_canonicalisation: 'Nothing: the object in the body has no form that could be verified.',
};
