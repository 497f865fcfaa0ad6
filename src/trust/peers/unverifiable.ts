import { type Problem, problem } from '../../core/kernel/index.js';
import type { ProofFault } from '../../core/proofs/index.js';

/** The 422 for an object that was sent to be registered: the first failing check, the member, and why. Nothing is written. */
export function unverifiable(where: '/token' | '/artifact', found: ProofFault): Problem {
  const { check, member, detail } = found;
  const inside = member === null ? '' : ` at ${member}`;
  const pointer =
    where === '/artifact' && member !== null ? `${where}/${member.replaceAll('.', '/')}` : where;
  return problem('unverifiable', `The check ${check} failed${inside}: ${detail}.`, {
    fix: 'Have the issuer make and sign the object again; docs/tokens.md gives its exact form.',
    field: pointer,
  });
}
