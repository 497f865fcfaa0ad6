/** Versions of the protocol that this service speaks, on both bindings. */
export const VERSIONS = ['1.0', '0.3'] as const;
export type Version = (typeof VERSIONS)[number];

/** What a request that names no version speaks: the header is younger than version 0.3. */
export const VERSION_WHEN_ABSENT: Version = '0.3';

const FORM = /^(\d{1,4})\.(\d{1,4})(?:\.\d{1,9})?$/;

/**
 * The version a request speaks: the header's, else the query's, else 0.3. Only major and minor count. Null = one that is
 * not spoken here, or no version at all.
 */
export function versionOf(
  header: string | readonly string[] | undefined,
  query: string | readonly string[] | undefined,
): Version | null {
  const named = [header, query].find((one) => one !== undefined && one.length > 0);
  if (named === undefined) return VERSION_WHEN_ABSENT;
  const [, major, minor] = (typeof named === 'string' ? FORM.exec(named.trim()) : null) ?? [];
  return VERSIONS.find((version) => version === `${Number(major)}.${Number(minor)}`) ?? null;
}
