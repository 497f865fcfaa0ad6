import { isDeepStrictEqual } from 'node:util';
import { printReasonIndex, printReasonPage, reasonPagePath } from '../base/platform/index.js';
import { invariant, REASON_CATALOGUE, type ReasonEntry } from '../core/kernel/index.js';

/** Where the published catalogue stands; it is the memory of what was ever promised. */
export const PUBLISHED_REASONS = 'docs/reasons.json';

/**
 * What the program's catalogue breaks of the published one: entries removed, reworded or out of their order. Entries
 * that are new between the published ones break nothing. The published list is read as it stands in the file.
 */
export function brokenPromises(
  published: readonly ReasonEntry[],
  catalogue: readonly ReasonEntry[] = REASON_CATALOGUE,
): readonly string[] {
  const places = new Map(catalogue.map((entry, place) => [keyOf(entry), { entry, place }]));
  const broken: string[] = [];
  let last = -1;
  for (const promised of published) {
    const current = places.get(keyOf(promised));
    if (current === undefined) {
      broken.push(`${keyOf(promised)} was removed`);
      continue;
    }
    if (!isDeepStrictEqual(asPublished(current.entry), promised))
      broken.push(`${keyOf(promised)} was reworded`);
    if (current.place < last) broken.push(`${keyOf(promised)} was moved`);
    last = Math.max(last, current.place);
  }
  return broken;
}

/**
 * All files of the reason catalogue, path -> text. `published` is the text of {@link PUBLISHED_REASONS}, null when there
 * is none yet. A catalogue that breaks a published promise prints nothing: it has to be put right first.
 */
export function reasonFiles(published: string | null): Readonly<Record<string, string>> {
  const broken =
    published === null ? [] : brokenPromises(JSON.parse(published) as readonly ReasonEntry[]);
  invariant(broken.length === 0, `the reason catalogue keeps its promises: ${broken.join('; ')}`);
  return {
    [PUBLISHED_REASONS]: `${JSON.stringify(REASON_CATALOGUE.map(asPublished), null, 2)}\n`,
    'docs/reasons/README.md': printReasonIndex(),
    ...Object.fromEntries(
      REASON_CATALOGUE.map((entry) => [
        `docs/reasons/${reasonPagePath(entry)}.md`,
        printReasonPage(entry),
      ]),
    ),
  };
}

const keyOf = ({ rule, code }: Pick<ReasonEntry, 'rule' | 'code'>): string => `${rule}/${code}`;

/** The members in one order, whatever order the source spells them in. */
const asPublished = (entry: ReasonEntry): ReasonEntry => ({
  rule: entry.rule,
  code: entry.code,
  parameter: entry.parameter,
  whoFixes: entry.whoFixes,
  text: entry.text,
  fix: entry.fix,
  requiredConfig: entry.requiredConfig,
  ucp: { severity: entry.ucp.severity, stepUp: entry.ucp.stepUp },
  acp: { code: entry.acp.code },
});
