import { err, ok, type Result } from '../../core/kernel/index.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';

/** The merchant that was named, or the only one that this key may touch; else the exit code, and why was said. */
export async function merchantOf(
  session: Session,
  named: string | undefined,
): Promise<Result<string, ExitCode>> {
  if (named !== undefined) return ok(named);
  const answer = await session.client.get('/v1/merchants', { query: { limit: '2' } });
  if (!answer.ok) return err(session.fail(answer.failure));
  const [only, other] = answer.value.items;
  if (only !== undefined && other === undefined) return ok(only.merchant_id);
  session.note('error: name one with --merchant: this key may touch more than one, or none.');
  return err(EXIT.usage);
}
