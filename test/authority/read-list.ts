import {
  inflateStatusList,
  parseStatusListToken,
  readStatusList,
  STATUS_LIST_BYTES_MAX,
  statusListPlaces,
} from '../../src/core/proofs/index.js';

/** Reads a list as the arbiter does, all but its signature. */
export function readStatusListTokenForTests(token: string, uri: string, nowMs: number) {
  const parsed = parseStatusListToken(token);
  if (!parsed.ok) throw new Error(parsed.error);
  const read = readStatusList(parsed.value, { uri, nowMs, isVersioned: true });
  if (!read.ok) throw new Error(read.error);
  const bytes = inflateStatusList(read.value.lst, { bytesMax: STATUS_LIST_BYTES_MAX });
  if (!bytes.ok) throw new Error(bytes.error);
  return { version: read.value.version, places: statusListPlaces(bytes.value, read.value.bits) };
}
