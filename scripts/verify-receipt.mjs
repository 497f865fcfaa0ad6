// Written by `npm run generate` from src/verifiers/verify-receipt.ts: runs alone, asks no network. Not edited by hand.
import { createHash, createPublicKey, hash, verify } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
// src/core/kernel/invariant.ts
/**
* A promise of our own code that did not hold. Nothing a caller sends may raise it: the transaction rolls back,
* the answer is a 500 without detail, and somebody is paged.
*/
var InvariantError = class extends Error {
	name = "InvariantError";
};
/** The only way out of `core/` other than a value. `message` names what had to be true. */
function invariant(condition, message) {
	if (!condition) throw new InvariantError(message);
}
const isInstantMs = (value) => Number.isSafeInteger(value) && value >= -621672192e5 && value <= 0xe677d21fdbff;
/** Prints the one form used on the wire and in canonical bytes: RFC 3339, UTC, three fraction digits (decisions 1.5). */
function formatInstant(atMs) {
	invariant(isInstantMs(atMs), "an instant is a safe integer of milliseconds within years 0000 to 9999");
	return new Date(atMs).toISOString();
}
const LONE_SURROGATE$1 = /\p{Surrogate}/u;
const PLAIN_TEXT = /^[ !#-[\]-~]*$/;
/**
* RFC 8785 (JCS) text of a closed set of values: strings without lone surrogates, booleans, null, safe integers,
* arrays without holes and plain objects. Members are sorted by UTF-16 code units.
* Anything else is a broken invariant: undefined, floats, -0, bigint, dates, class instances, `toJSON`.
*/
const canonicalize = (value) => print(value, 0);
function print(value, depth) {
	if (typeof value === "string") return quote(value);
	if (typeof value === "number") {
		invariant(Number.isSafeInteger(value) && !Object.is(value, -0), "canonical numbers are safe integers, -0 excluded");
		return String(value);
	}
	if (value === null || value === true || value === false) return String(value);
	invariant(typeof value === "object", `canonical values have no ${typeof value}`);
	invariant(depth < 32, `canonical values nest at most 32 deep`);
	return Array.isArray(value) ? printArray(value, depth) : printObject(value, depth);
}
function printArray(items, depth) {
	let text = "[";
	for (let index = 0; index < items.length; index += 1) text += (index === 0 ? "" : ",") + print(items[index], depth + 1);
	return `${text}]`;
}
function printObject(value, depth) {
	const prototype = Object.getPrototypeOf(value);
	invariant(prototype === Object.prototype || prototype === null, "canonical objects are plain objects");
	invariant(Object.getOwnPropertySymbols(value).length === 0, "canonical objects have no symbol members");
	const members = value;
	let text = "{";
	for (const name of Object.keys(members).sort()) text += `${text === "{" ? "" : ","}${quote(name)}:${print(members[name], depth + 1)}`;
	return `${text}}`;
}
function quote(text) {
	if (PLAIN_TEXT.test(text)) return `"${text}"`;
	invariant(!LONE_SURROGATE$1.test(text), "canonical strings have no lone surrogates");
	return JSON.stringify(text);
}
// src/core/kernel/result.ts
const ok = (value) => ({
	ok: true,
	value
});
const err = (error) => ({
	ok: false,
	error
});
// src/core/kernel/strict-json.ts
const SPACE = /[ \t\n\r]*/y;
const PLAIN_RUN = /[^"\\\u0000-\u001f]*/y;
const INTEGER = /-?(?:0|[1-9][0-9]*)/y;
const DECIMAL$1 = /-?(?:0|[1-9][0-9]*)\.[0-9]+/y;
const HEX_4 = /[0-9A-Fa-f]{4}/y;
const LONE_SURROGATE = /\p{Surrogate}/u;
const ESCAPES = {
	"\"": "\"",
	"\\": "\\",
	"/": "/",
	b: "\b",
	f: "\f",
	n: "\n",
	r: "\r",
	t: "	"
};
/**
* A number of somebody else's JSON that is no whole one, kept as it was written: money is never read through a float.
* Its value is at most {@link DECIMAL_LENGTH_MAX} characters of digits with one point; an exponent is refused.
*/
var DecimalNumber = class {
	text;
	constructor(text) {
		this.text = text;
	}
};
/**
* Reads JSON (RFC 8259) that two readers cannot understand differently: what is signed elsewhere, and ledgers.
* Beyond JSON.parse it refuses a member name that occurs twice in one object (compared after unescaping) or is
* `__proto__`, lone surrogates, every number but safe integers written as such (no fraction, no exponent, no -0), and
* nesting deeper than {@link CANONICAL_DEPTH_MAX}, and more than {@link JSON_VALUES_MAX} values. So whatever it returns can be printed by `canonicalize`.
* Not checked: the length of the text (the caller bounds it) and its bytes (decode UTF-8 fatally, keeping a BOM).
*/
function parseStrictJson(text) {
	return read(text, false);
}
function read(text, takesDecimals) {
	const cursor = {
		text,
		takesDecimals,
		at: 0,
		valueCount: 0,
		fault: null
	};
	const value = readValue(cursor, 0);
	skipSpace(cursor);
	if (value !== void 0 && cursor.at < text.length) fail(cursor, "expected the end");
	return value === void 0 || cursor.fault !== null ? err(cursor.fault ?? {
		offset: cursor.at,
		message: "expected a value"
	}) : ok(value);
}
/** Undefined = refused; the first fault stands in the cursor. */
function readValue(cursor, depth) {
	skipSpace(cursor);
	cursor.valueCount += 1;
	if (cursor.valueCount > 8388608) return fail(cursor, "expected fewer values");
	switch (cursor.text[cursor.at] ?? "") {
		case "{": return readObject(cursor, depth);
		case "[": return readArray(cursor, depth);
		case "\"": return readString(cursor);
		case "t": return readWord(cursor, "true", true);
		case "f": return readWord(cursor, "false", false);
		case "n": return readWord(cursor, "null", null);
		default: return readNumber(cursor);
	}
}
function readObject(cursor, depth) {
	if (depth >= 32) return fail(cursor, "expected less nesting");
	const members = {};
	cursor.at += 1;
	skipSpace(cursor);
	if (take(cursor, "}")) return members;
	for (;;) {
		skipSpace(cursor);
		const nameOffset = cursor.at;
		const name = readString(cursor);
		if (name === void 0) return void 0;
		if (name === "__proto__" || Object.hasOwn(members, name)) {
			cursor.at = nameOffset;
			return fail(cursor, "expected a member name that is new and not __proto__");
		}
		skipSpace(cursor);
		if (!take(cursor, ":")) return fail(cursor, "expected a colon");
		const value = readValue(cursor, depth + 1);
		if (value === void 0) return void 0;
		members[name] = value;
		skipSpace(cursor);
		if (take(cursor, "}")) return members;
		if (!take(cursor, ",")) return fail(cursor, "expected a comma or the end of the object");
	}
}
function readArray(cursor, depth) {
	if (depth >= 32) return fail(cursor, "expected less nesting");
	const items = [];
	cursor.at += 1;
	skipSpace(cursor);
	if (take(cursor, "]")) return items;
	for (;;) {
		const value = readValue(cursor, depth + 1);
		if (value === void 0) return void 0;
		items.push(value);
		skipSpace(cursor);
		if (take(cursor, "]")) return items;
		if (!take(cursor, ",")) return fail(cursor, "expected a comma or the end of the array");
	}
}
function readString(cursor) {
	const startOffset = cursor.at;
	if (!take(cursor, "\"")) return fail(cursor, "expected a string");
	let text = "";
	for (;;) {
		text += takeMatch(cursor, PLAIN_RUN) ?? "";
		if (take(cursor, "\"")) break;
		if (!take(cursor, "\\")) return fail(cursor, "expected an escape or the end of the string");
		const character = readEscape(cursor);
		if (character === void 0) return void 0;
		text += character;
	}
	if (LONE_SURROGATE.test(text)) {
		cursor.at = startOffset;
		return fail(cursor, "expected a string without lone surrogates");
	}
	return text;
}
function readEscape(cursor) {
	if (take(cursor, "u")) {
		const digits = takeMatch(cursor, HEX_4);
		return digits === null ? fail(cursor, "expected four hex digits") : String.fromCharCode(parseInt(digits, 16));
	}
	const letter = cursor.text[cursor.at] ?? "";
	if (!Object.hasOwn(ESCAPES, letter)) return fail(cursor, "expected an escape of JSON");
	cursor.at += 1;
	return ESCAPES[letter];
}
function readNumber(cursor) {
	const startOffset = cursor.at;
	const decimal = cursor.takesDecimals ? takeMatch(cursor, DECIMAL$1) : null;
	if (decimal !== null) {
		if (decimal.length <= 40 && !"eE".includes(cursor.text[cursor.at] ?? " ")) return new DecimalNumber(decimal);
		cursor.at = startOffset;
		return fail(cursor, "expected a decimal number without exponent");
	}
	const digits = takeMatch(cursor, INTEGER);
	if (digits === null) return fail(cursor, "expected a value");
	const value = Number(digits);
	if (Number.isSafeInteger(value) && !Object.is(value, -0) && !".eE".includes(cursor.text[cursor.at] ?? " ")) return value;
	cursor.at = startOffset;
	return fail(cursor, "expected a safe integer");
}
function readWord(cursor, word, value) {
	if (!cursor.text.startsWith(word, cursor.at)) return fail(cursor, "expected a value");
	cursor.at += word.length;
	return value;
}
const skipSpace = (cursor) => void takeMatch(cursor, SPACE);
function take(cursor, character) {
	if (cursor.text[cursor.at] !== character) return false;
	cursor.at += 1;
	return true;
}
/** What the sticky pattern finds exactly here, or null. */
function takeMatch(cursor, pattern) {
	pattern.lastIndex = cursor.at;
	const found = pattern.exec(cursor.text)?.[0] ?? null;
	if (found !== null) cursor.at += found.length;
	return found;
}
/** Keeps the first fault. */
function fail(cursor, message) {
	cursor.fault ??= {
		offset: cursor.at,
		message
	};
}
const LEAF_PREFIX = 0;
const NODE_PREFIX = 1;
const sha256 = (bytes) => hash("sha256", bytes, "buffer");
sha256("");
/** `SHA-256(00 || data)` (RFC 6962 section 2.1). */
function leafHash(data) {
	const bytes = Buffer.allocUnsafe(1 + data.length);
	bytes[0] = LEAF_PREFIX;
	bytes.set(data, 1);
	return sha256(bytes);
}
/** `SHA-256(01 || left || right)` (RFC 6962 section 2.1). Both are hashes of {@link HASH_BYTES}. */
function nodeHash(left, right) {
	const bytes = Buffer.allocUnsafe(65);
	bytes[0] = NODE_PREFIX;
	bytes.set(left, 1);
	bytes.set(right, 33);
	return sha256(bytes);
}
const isHash = (bytes) => bytes.length === 32;
const sameBytes = (left, right) => Buffer.compare(left, right) === 0;
/** Whether the leaf stands at `index` in the tree of that size and root (RFC 9162 section 2.1.3.2). */
function verifyInclusion(claim) {
	const { index, size, proof } = claim;
	if (index < 0n || index >= size) return false;
	if (![
		claim.leafHash,
		claim.root,
		...proof
	].every(isHash)) return false;
	let node = index;
	let last = size - 1n;
	let root = claim.leafHash;
	for (const sibling of proof) {
		if (last === 0n) return false;
		if (node % 2n === 1n || node === last) {
			root = nodeHash(sibling, root);
			while (node % 2n === 0n && node !== 0n) {
				node /= 2n;
				last /= 2n;
			}
		} else root = nodeHash(root, sibling);
		node /= 2n;
		last /= 2n;
	}
	return last === 0n && sameBytes(root, claim.root);
}
// src/core/chain/wire-text.ts
/**
* Bytes of standard base64 with its padding (RFC 4648 section 4), or null. Strict: no foreign letters, no bits set
* behind the last byte, so one value has exactly one spelling.
*/
function decodeBase64(text) {
	const bytes = Buffer.from(text, "base64");
	return bytes.toString("base64") === text ? bytes : null;
}
const encodeBase64 = (bytes) => Buffer.from(bytes).toString("base64");
/** Largest size of a tree that the wire forms take. */
const UINT64_MAX = 2n ** 64n - 1n;
const DECIMAL = /^(?:0|[1-9][0-9]{0,19})$/;
/** An unsigned 64-bit number in decimal digits without leading zeros, or null. */
function parseUint64(text) {
	if (!DECIMAL.test(text)) return null;
	const value = BigInt(text);
	return value <= UINT64_MAX ? value : null;
}
const UTF_8 = new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true
});
/** The text of these bytes, a BOM kept as a character; null = they are no UTF-8. */
function decodeUtf8(bytes) {
	try {
		return UTF_8.decode(bytes);
	} catch {
		return null;
	}
}
// src/core/chain/checkpoint.ts
const NO_LINE = /[\u0000-\u001f]|\p{Surrogate}/u;
/**
* Reads the text of a checkpoint, its last LF included. Refused: control characters, an empty origin or extension, a
* size that is no plain decimal of 64 bits, a root that is not strict base64 of 32 bytes.
* Not checked: that the root of size 0 is the one of the empty tree.
*/
function parseCheckpoint(text) {
	if (!text.endsWith("\n")) return err("a checkpoint ends with a line feed");
	const lines = text.slice(0, -1).split("\n");
	if (lines.some((line) => line === "" || NO_LINE.test(line))) return err("no line of a checkpoint is empty or holds control characters");
	const [origin, sizeText, rootText, ...extensions] = lines;
	if (origin === void 0 || sizeText === void 0 || rootText === void 0) return err("a checkpoint has an origin, a size and a root");
	const size = parseUint64(sizeText);
	if (size === null) return err("the size of a checkpoint is a decimal number without leading zeros");
	const root = decodeBase64(rootText);
	if (root?.length !== 32) return err(`the root of a checkpoint is base64 of 32 bytes`);
	return ok({
		origin,
		size,
		root,
		extensions
	});
}
/** The fixed head of a SubjectPublicKeyInfo that holds an Ed25519 key (RFC 8410 section 4). */
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");
/**
* The y of the eight points of small order, as keys are encoded (RFC 8032 section 5.1.2), the sign of x cleared:
* 0, 1 and -1, the two y of the points of order 8, and 0 and 1 once more with p added, which decoders take too.
*/
const SMALL_ORDER_Y$1 = /* @__PURE__ */ new Set([
	"0000000000000000000000000000000000000000000000000000000000000000",
	"0100000000000000000000000000000000000000000000000000000000000000",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
]);
/**
* Whether a key is one of the 14 encodings of a point of small order: for such keys a signature of zeros verifies for
* many messages, so they are refused wherever a key is pinned. Not found: a key of mixed order.
*/
function isSmallOrder(publicKey) {
	const bytes = Buffer.from(publicKey);
	const last = bytes.length - 1;
	bytes[last] = (bytes[last] ?? 0) & 127;
	return SMALL_ORDER_Y$1.has(bytes.toString("hex"));
}
/** RFC 8032 section 5.1.7. False for keys and signatures of another length, and for keys of small order. */
function verifyEd25519(publicKey, message, signature) {
	if (publicKey.length !== 32 || signature.length !== 64) return false;
	if (isSmallOrder(publicKey)) return false;
	const key = createPublicKey({
		key: Buffer.concat([SPKI_HEAD, publicKey]),
		format: "der",
		type: "spki"
	});
	return verify(null, message, key, signature);
}
// src/core/chain/cosignature.ts
/** Bytes of a timestamped cosignature: the time, then the Ed25519 signature (C2SP tlog-cosignature, type 04). */
const COSIGNATURE_BYTES = 72;
/** What a cosigner signs: the time in seconds since 1970 and the whole text of the checkpoint, its last LF included. */
const cosignatureMessage = (timeSeconds, checkpointText) => Buffer.from(`cosignature/v1\ntime ${timeSeconds}\n${checkpointText}`, "utf8");
/** The two parts of a cosignature; null = another length, or a time beyond 2^53 - 1 seconds. */
function parseCosignature(bytes) {
	if (bytes.length !== COSIGNATURE_BYTES) return null;
	const all = Buffer.from(bytes);
	const timeSeconds = Number(all.readBigUInt64BE());
	return Number.isSafeInteger(timeSeconds) ? {
		timeSeconds,
		signature: all.subarray(8)
	} : null;
}
// src/core/chain/vkey.ts
const TYPE_BYTES = {
	ed25519: 1,
	cosignature: 4
};
const FORM = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/su;
const NO_NAME = /[\p{White_Space}\p{Surrogate}+\u0000-\u001f]/u;
/** Names of signers: not empty, no white space, no plus sign, no control characters. */
const isKeyName = (text) => text !== "" && !NO_NAME.test(text);
/** The key of a name; the caller says that the name and the key are good ({@link isKeyName}, {@link isSmallOrder}). */
function vkeyOf(kind, name, publicKey) {
	const typed = Buffer.concat([Buffer.of(TYPE_BYTES[kind]), publicKey]);
	const named = Buffer.concat([Buffer.from(`${name}\n`, "utf8"), typed]);
	const keyId = hash("sha256", named, "hex").slice(0, 8);
	return {
		name,
		keyId,
		kind,
		publicKey,
		text: `${name}+${keyId}+${encodeBase64(typed)}`
	};
}
/**
* Reads a C2SP verifier key. Faults, in order: form (name, 8 lowercase hex digits, strict base64), type (only 01 and
* 04 are verified), length, a key of small order, a key id that is not the one of this name, type and key.
*/
function parseVkey(text) {
	const [, name = "", keyId, encoded = ""] = FORM.exec(text) ?? [];
	const bytes = decodeBase64(encoded);
	if (!isKeyName(name) || bytes === null || bytes.length === 0) return err("a verifier key is name+id+base64, with 8 hex digits of id");
	const [type = 0] = bytes;
	const kind = type === 1 ? "ed25519" : type === 4 ? "cosignature" : null;
	const named = `type ${type.toString(16).padStart(2, "0")}`;
	if (kind === null) return err(`keys of ${named} are not verified here, only 01 (Ed25519) and 04 (Ed25519 cosignature)`);
	const publicKey = bytes.subarray(1);
	if (publicKey.length !== 32) return err(`a key of ${named} has 32 bytes`);
	if (isSmallOrder(publicKey)) return err("the key is a point of small order: anybody signs for it");
	const key = vkeyOf(kind, name, publicKey);
	return key.keyId === keyId ? ok(key) : err("the key id is not the one of this name and key");
}
const KEY_ID_BYTES = 4;
const NO_NOTE_TEXT = /[\u0000-\u0009\u000b-\u001f]|\p{Surrogate}/u;
const SIGNATURE_LINE = /^\u2014 ([^ ]+) ([A-Za-z0-9+/=]+)$/u;
/** One signature line without its LF, or null. */
function parseSignatureLine(line) {
	const [, name, encoded] = SIGNATURE_LINE.exec(line) ?? [];
	if (name === void 0 || encoded === void 0 || !isKeyName(name)) return null;
	const bytes = decodeBase64(encoded);
	if (bytes === null || bytes.length <= KEY_ID_BYTES) return null;
	return {
		name,
		keyId: bytes.toString("hex", 0, KEY_ID_BYTES),
		signature: bytes.subarray(KEY_ID_BYTES),
		line
	};
}
/**
* Reads a signed note. Refused: control characters but LF, lone surrogates, no blank line, no signature line, more
* than {@link NOTE_SIGNATURES_MAX}, a line that is no signature line, a missing last LF.
*/
function parseNote(text) {
	if (NO_NOTE_TEXT.test(text)) return err("a note holds no control characters but line feeds");
	const split = text.lastIndexOf("\n\n");
	if (split < 0) return err("a note has a blank line before its signatures");
	const block = text.slice(split + 2);
	if (!block.endsWith("\n")) return err("a note ends with a line feed after its last signature");
	const lines = block.slice(0, -1).split("\n");
	if (lines.length > 100) return err(`a note has at most 100 signatures`);
	const signatures = [];
	for (const line of lines) {
		const signature = parseSignatureLine(line);
		if (signature === null) return err("a signature line is an em dash, a name and base64 with padding");
		signatures.push(signature);
	}
	return ok({
		text: text.slice(0, split + 1),
		signatures
	});
}
/**
* Which of the keys signed the note, each once, in the order of the lines. Lines of keys that are not given are passed
* over; a line of a given key that does not verify rejects the whole note, as do two given keys of one name and id when
* a line uses them. `verified` may be empty: what is enough is the caller's to say.
*/
function verifyNote(note, keys) {
	const verified = /* @__PURE__ */ new Set();
	const seenLines = /* @__PURE__ */ new Set();
	for (const signature of note.signatures) {
		if (seenLines.has(signature.line)) continue;
		seenLines.add(signature.line);
		const [key, another] = keys.filter(({ name, keyId }) => name === signature.name && keyId === signature.keyId);
		if (key === void 0) continue;
		if (another !== void 0) return err({
			code: "ambiguous_key",
			key
		});
		if (!verifySignature(key, note.text, signature.signature)) return err({
			code: "bad_signature",
			key
		});
		verified.add(key);
	}
	return ok({ verified: [...verified] });
}
function verifySignature(key, text, bytes) {
	if (key.kind === "ed25519") return verifyEd25519(key.publicKey, Buffer.from(text, "utf8"), bytes);
	const cosignature = parseCosignature(bytes);
	if (cosignature === null) return false;
	const message = cosignatureMessage(cosignature.timeSeconds, text);
	return verifyEd25519(key.publicKey, message, cosignature.signature);
}
"0".repeat(64);
const DIGEST_HEX = /^[0-9a-f]{64}$/;
/** SHA-256 as it stands in entries: 64 lowercase hex digits. */
const isDigestHex = (text) => DIGEST_HEX.test(text);
/** `SHA-256("arbiter-link/1\n" tenant "\n" seq "\n" kid "\n" prev "\n" mac "\n" body)` in hex (decisions 2.6). */
const entryLink = (entry, mac) => createHash("sha256").update(`arbiter-link/1\n${entry.tenantId}\n${entry.seq}\n${entry.kid}\n${entry.prev}\n${mac}\n${entry.body}`).digest("hex");
// src/core/chain/verifier-options.ts
/** How many different witnesses (type 04) there are: one key under two names is one, a cosignature names no cosigner. */
const witnessCount = (keys) => new Set(keys.filter(({ kind }) => kind === "cosignature").map(({ publicKey }) => Buffer.from(publicKey).toString("hex"))).size;
function quorumOf(given, signed) {
	const has = ({ publicKey }) => signed.some((key) => Buffer.compare(key.publicKey, publicKey) === 0);
	const missing = given.filter((key) => key.kind === "cosignature" && !has(key));
	return {
		given: witnessCount(given),
		signed: witnessCount(signed),
		missing: [...new Set(missing.map(({ name }) => name))]
	};
}
/** A quorum above the witnesses whose keys were given: null = it can be met. */
function quorumFault(quorum, keys) {
	const count = witnessCount(keys);
	return quorum <= count ? null : `--witness-quorum ${quorum} asks for more than the ${count} different witness ${count === 1 ? "key" : "keys"} given`;
}
// src/core/chain/tlog-proof.ts
const FIRST_LINE = "c2sp.org/tlog-proof@v1";
/** Hashes of one inclusion proof: one a level of a tree of 64 bits. */
const INCLUSION_PROOF_MAX = 64;
/**
* Reads a proof up to its blank line. Refused: another first line, an `extra` that is not strict base64, an index that
* is no plain decimal of 64 bits, a hash that is not strict base64 of 32 bytes, more than 64 of them, no blank line.
* Not checked: the note ({@link parseNote}) and the proof ({@link verifyInclusion}).
*/
function parseTlogProof(text) {
	const split = text.indexOf("\n\n");
	if (split < 0) return err("the proof has a blank line before the checkpoint");
	const [first, ...lines] = text.slice(0, split).split("\n");
	if (first !== FIRST_LINE) return err(`the first line is "${FIRST_LINE}"`);
	const extraLine = lines[0]?.startsWith("extra ") === true ? lines.shift() : void 0;
	const extra = extraLine === void 0 ? null : decodeBase64(extraLine.slice(6));
	if (extraLine !== void 0 && extra === null) return err("\"extra\" is followed by base64");
	const indexLine = lines.shift() ?? "";
	const index = indexLine.startsWith("index ") ? parseUint64(indexLine.slice(6)) : null;
	if (index === null) return err("\"index\" is followed by a decimal number without leading zeros");
	if (lines.length > INCLUSION_PROOF_MAX) return err(`a proof has at most ${INCLUSION_PROOF_MAX} hashes`);
	const hashes = [];
	for (const line of lines) {
		const hash = decodeBase64(line);
		if (hash?.length !== 32) return err(`a line of the proof is base64 of 32 bytes`);
		hashes.push(hash);
	}
	return ok({
		index,
		hashes,
		checkpoint: text.slice(split + 2),
		extra
	});
}
// src/core/proofs/fault.ts
const fault = (check, member, detail) => ({
	check,
	member,
	detail
});
// src/core/proofs/base64url.ts
/**
* Bytes of unpadded base64url (RFC 7515 section 2), or null. Strict: no padding, no foreign letters, no bits set
* behind the last byte, so one value has exactly one spelling.
*/
function decodeBase64url(text) {
	const bytes = Buffer.from(text, "base64url");
	return bytes.toString("base64url") === text ? bytes : null;
}
// src/core/proofs/jwk.ts
/** The two algorithms we verify. Which one applies is a property of the key, never of a token's header. */
const SIGNATURE_ALGORITHMS = ["ES256", "EdDSA"];
const COORDINATE_BYTES = 32;
const PRIVATE_MEMBERS = [
	"d",
	"p",
	"q",
	"dp",
	"dq",
	"qi",
	"oth",
	"k"
];
/**
* Reads a public key (RFC 7517, 7518, 8037): P-256 for ES256 or Ed25519 for EdDSA.
* Faults, in order: not_an_object, private_member (a private or symmetric key was sent: treat it as leaked),
* key_type_unsupported, algorithm_contradicts_key (its own `alg`), coordinate_malformed, point_not_on_curve (P-256),
* small_order (Ed25519: a key under which anybody can forge, and every non-canonical encoding).
* Not checked: who owns the key.
*/
function parsePublicJwk(value) {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return err("not_an_object");
	const { kty, crv, x, y, alg } = value;
	if (PRIVATE_MEMBERS.some((member) => Object.hasOwn(value, member))) return err("private_member");
	if (kty === "EC" && crv === "P-256") {
		if (alg !== void 0 && alg !== "ES256") return err("algorithm_contradicts_key");
		if (!isCoordinate(x) || !isCoordinate(y)) return err("coordinate_malformed");
		return checkedKey("ES256", {
			kty,
			crv,
			x,
			y
		});
	}
	if (kty === "OKP" && crv === "Ed25519") {
		if (alg !== void 0 && alg !== "EdDSA" && alg !== "Ed25519") return err("algorithm_contradicts_key");
		if (!isCoordinate(x)) return err("coordinate_malformed");
		if (isUnsafeEd25519(Buffer.from(x, "base64url"))) return err("small_order");
		return checkedKey("EdDSA", {
			kty,
			crv,
			x
		});
	}
	return err("key_type_unsupported");
}
const isCoordinate = (value) => typeof value === "string" && decodeBase64url(value)?.length === COORDINATE_BYTES;
function checkedKey(alg, jwk) {
	try {
		createPublicKey({
			key: { ...jwk },
			format: "jwk"
		});
	} catch {
		return err("point_not_on_curve");
	}
	const thumbprint = createHash("sha256").update(canonicalize({ ...jwk }), "utf8").digest("base64url");
	return ok({
		alg,
		jwk,
		thumbprint
	});
}
const FIELD_PRIME = 2n ** 255n - 19n;
const SIGN_BIT = 1n << 255n;
/** The y coordinates of the eight points of small order on edwards25519 (order 1, 2, 4, 4, 8, 8, 8, 8). */
const SMALL_ORDER_Y = /* @__PURE__ */ new Set([
	0n,
	1n,
	FIELD_PRIME - 1n,
	littleEndian(Buffer.from("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", "hex")),
	littleEndian(Buffer.from("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", "hex"))
]);
function littleEndian(bytes) {
	return BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
}
/**
* OpenSSL imports every 32 bytes as an Ed25519 key and then verifies forgeries under small-order points: a signature
* anybody can make. Encodings with y >= p are refused too (RFC 8032 section 5.1.3), so a key has one spelling.
*/
function isUnsafeEd25519(encoded) {
	const y = littleEndian(encoded) & SIGN_BIT - 1n;
	return y >= FIELD_PRIME || SMALL_ORDER_Y.has(y);
}
// src/core/proofs/jws.ts
/** Longest compact token we read, in characters; a native mandate has about 1,000. */
const TOKEN_LENGTH_MAX = 16384;
/**
* Reads a compact JWS whose payload is a JSON object (RFC 7515 section 3.1, RFC 7519).
* Faults, in order: shape (longer than `lengthMax`, not three parts, not strict base64url, header or
* payload not an object in strict JSON: duplicate members, lone surrogates and deep nesting included), algorithm
* (`none`, HMAC, RSA and whatever else is not ES256 or EdDSA), shape (a header member other than alg, kid, typ:
* jku, jwk, x5u, x5c, crit, b64 among them; kid absent or too long; wrong typ), signature (not 64 bytes).
*/
function parseToken(token, typs, lengthMax = TOKEN_LENGTH_MAX) {
	if (token.length > lengthMax) return err(fault("shape", null, `a token has at most ${lengthMax} characters`));
	const [encodedHeader, encodedPayload, encodedSignature, ...rest] = token.split(".");
	if (encodedHeader === void 0 || encodedPayload === void 0 || encodedSignature === void 0 || rest.length > 0) return err(fault("shape", null, "a token has three parts separated by points"));
	const header = parseHeader(encodedHeader, typs);
	if (!header.ok) return header;
	const claims = parseObject(encodedPayload);
	if (claims === null) return err(fault("shape", null, "the payload is no base64url of an object in strict JSON"));
	const signature = parseSignature(encodedSignature);
	if (!signature.ok) return signature;
	return ok({
		header: header.value,
		claims,
		signingInput: `${encodedHeader}.${encodedPayload}`,
		signature: signature.value
	});
}
const HEADER_MEMBERS = /* @__PURE__ */ new Set([
	"alg",
	"kid",
	"typ"
]);
function parseHeader(encoded, typs) {
	const members = encoded.length > 1024 ? null : parseObject(encoded);
	if (members === null) return err(fault("shape", "header", "the protected header is no base64url of an object in strict JSON"));
	const { alg, kid, typ } = members;
	if (!isAlgorithm(alg)) return err(fault("algorithm", "header.alg", `only ${SIGNATURE_ALGORITHMS.join(" and ")} are verified`));
	const foreign = Object.keys(members).find((member) => !HEADER_MEMBERS.has(member));
	if (foreign !== void 0) return err(fault("shape", `header.${foreign}`, "a header has no members but alg, kid and typ"));
	if (kid !== void 0 && (typeof kid !== "string" || kid === "" || kid.length > 128)) return err(fault("shape", "header.kid", `a key id has 1 to 128 characters`));
	const named = typeof typ === "string" ? typ.toLowerCase() : null;
	if (typ !== void 0 && named === null || !typs.includes(named)) return err(fault("shape", "header.typ", `typ has to be ${typs.map((one) => one ?? "absent").join(" or ")}`));
	return ok({
		alg,
		kid: kid ?? null,
		typ: named
	});
}
const isAlgorithm = (alg) => SIGNATURE_ALGORITHMS.includes(alg);
function parseSignature(encoded) {
	const signature = decodeBase64url(encoded);
	return signature?.length === 64 ? ok(signature) : err(fault("signature", "signature", `a signature is base64url of 64 bytes`));
}
function parseObject(encoded) {
	const bytes = decodeBase64url(encoded);
	if (bytes === null) return null;
	const text = bytes.toString("utf8");
	if (!Buffer.from(text, "utf8").equals(bytes)) return null;
	const parsed = parseStrictJson(text);
	if (!parsed.ok) return null;
	const { value } = parsed;
	if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
	return value;
}
// src/core/proofs/receipt/statement.ts
/**
* A decision receipt: a signed statement about one decision, and the proof that its ledger entry stands under a
* checkpoint that others cosigned. Whoever holds it needs nobody to check it.
*/
const RECEIPT_FORMAT = "arbiter-receipt";
/** `typ` of the statement's protected header. */
const RECEIPT_TYP = "decision-receipt+jwt";
/** Type of the entries that receipts are about. */
const DECISION_ENTRY = "decision.recorded";
const bodySha256 = (body) => createHash("sha256").update(body, "utf8").digest("hex");
const statedEntry = (entry, isOpen) => ({
	seq: entry.seq,
	kid: entry.kid,
	prev: entry.prev,
	mac: isOpen ? entry.mac : null,
	link: entry.link,
	body_sha256: isOpen ? bodySha256(entry.body) : null
});
/**
* What a decision's entry says, from the text of its body: the issuer states it and the verifier compares it.
* Failures: no JSON, another kind of entry, a member that decisions have is not there. Not checked: members that no claim
* is made of.
*/
function claimsOfBody(body) {
	const parsed = parseStrictJson(body);
	if (!parsed.ok) return err("the body of the entry is no JSON");
	const at = new Members(parsed.value);
	if (at.member("type") !== DECISION_ENTRY) return err(`the entry is no ${DECISION_ENTRY}`);
	const data = at.of("data");
	const decision = data.of("decision");
	const allow = data.member("allow");
	const claims = {
		sub: data.member("decision_id"),
		flow: decision.member("flow"),
		outcome: decision.member("outcome"),
		failing_rule: decision.member("failing_rule"),
		reason: decision.member("reason"),
		merchant_id: data.member("merchant_id"),
		agent_id: data.member("agent_id"),
		order_id: data.member("order_id"),
		amount: amountOf(data.of("judged")),
		ruleset: decision.member("ruleset"),
		decided_at: at.member("at"),
		dry_run: data.member("dry_run"),
		usable: data.member("usable"),
		usable_reason: data.member("usable_reason"),
		allow: allow === null ? null : {
			cart_hash: data.of("allow").member("cart_hash"),
			expires_at: data.of("allow").member("expires_at")
		}
	};
	return isDecisionClaims(claims) ? ok(claims) : err("the entry lacks a member of decisions");
}
function amountOf(judged) {
	const facts = judged.of("facts");
	const priced = judged.member("kind") === "purchase" ? facts.of("cart") : facts;
	return {
		amount: priced.member(judged.member("kind") === "purchase" ? "total_minor" : "amount_minor"),
		currency: priced.member("currency")
	};
}
/** Looks into JSON of which nothing is known yet; what is not there is undefined. */
var Members = class Members {
	value;
	constructor(value) {
		this.value = value;
	}
	member(name) {
		const { value } = this;
		return typeof value === "object" && value !== null && Object.hasOwn(value, name) ? value[name] : void 0;
	}
	of(name) {
		return new Members(this.member(name));
	}
};
const isText = (value) => typeof value === "string";
const isFlag = (value) => typeof value === "boolean";
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const oneOf = (...words) => (value) => words.includes(value);
const orNull = (inner) => (value) => value === null || inner(value);
const listOf = (inner) => (value) => Array.isArray(value) && value.every(inner);
/** An object with exactly these members. */
const closed = (members) => (value) => typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === Object.keys(members).length && Object.entries(members).every(([name, check]) => Object.hasOwn(value, name) && check(value[name]));
const decisionMembers = {
	sub: isText,
	flow: isText,
	outcome: oneOf("allow", "refuse"),
	failing_rule: orNull(isText),
	reason: orNull(isText),
	merchant_id: isText,
	agent_id: orNull(isText),
	order_id: orNull(isText),
	amount: closed({
		amount: isText,
		currency: isText
	}),
	ruleset: isText,
	decided_at: isText,
	dry_run: isFlag,
	usable: isFlag,
	usable_reason: orNull(isText),
	allow: orNull(closed({
		cart_hash: orNull(isText),
		expires_at: isText
	}))
};
const isDecisionClaims = closed(decisionMembers);
const isStatementClaims = closed({
	...decisionMembers,
	iss: isText,
	tenant_id: isText,
	world: oneOf("test", "live"),
	iat: isCount,
	entry: closed({
		seq: isCount,
		kid: isText,
		prev: isText,
		mac: orNull(isText),
		link: isText,
		body_sha256: orNull(isText)
	}),
	log_key: isText,
	witnessed: isFlag,
	self_witnesses: listOf(isText)
});
// src/core/proofs/receipt/read.ts
/** Longest receipt that is read, in UTF-8 bytes; the body of a decision has at most some hundred thousand. */
const RECEIPT_BYTES_MAX = 16777216;
const entryForm = closed({
	seq: isCount,
	kid: isText,
	prev: isText,
	mac: isText,
	link: isText,
	body: isText
});
const JWK_NAMES = {
	kty: isText,
	crv: isText,
	x: isText,
	kid: isText,
	alg: isText,
	use: isText
};
const isOkpForm = closed(JWK_NAMES);
const isEcForm = closed({
	...JWK_NAMES,
	y: isText
});
const isJwkForm = (value) => isOkpForm(value) || isEcForm(value);
const isReceipt = closed({
	format: oneOf(RECEIPT_FORMAT),
	version: oneOf(1),
	witnessed: isFlag,
	statement: isText,
	entry: orNull(entryForm),
	proof: isText,
	issuer_jwk: isJwkForm
});
/**
* Reads the text of a receipt. Failures, one sentence each, in this order: too long, no strict JSON, not exactly the
* members of a receipt, a statement that is no JWS with exactly its claims, a key that is none or unsafe, a proof, note
* or checkpoint of another form.
*/
function readReceipt(text) {
	if (Buffer.byteLength(text, "utf8") > 16777216) return err(`it is longer than ${RECEIPT_BYTES_MAX} bytes`);
	const parsed = parseStrictJson(text);
	if (!parsed.ok) return err(`it is no JSON: ${parsed.error.message} at ${parsed.error.offset}`);
	const receipt = parsed.value;
	if (!isReceipt(receipt)) return err(`it has not exactly the members of ${RECEIPT_FORMAT} 1`);
	const token = parseToken(receipt.statement, [RECEIPT_TYP]);
	if (!token.ok) return err(`its statement is no signed token: ${token.error.detail}`);
	const { claims } = token.value;
	if (!isStatementClaims(claims) || !isDigestHex(claims.entry.link)) return err("its statement has not exactly the claims of a receipt");
	const issuerKey = readIssuerKey(receipt.issuer_jwk);
	if (issuerKey === null) return err("issuer_jwk is no public key with a kid");
	const logKey = parseVkey(claims.log_key);
	if (!logKey.ok) return err(`the log key of its statement is none: ${logKey.error}`);
	if (logKey.value.kind !== "ed25519") return err("the log key of its statement signs no notes");
	const proof = readProof(receipt.proof);
	if (!proof.ok) return proof;
	const key = {
		issuerKey,
		logKey: logKey.value
	};
	return ok({
		receipt,
		token: token.value,
		claims,
		...key,
		...proof.value
	});
}
function readProof(text) {
	const proof = parseTlogProof(text);
	if (!proof.ok) return err(`its proof is of another form: ${proof.error}`);
	if (proof.value.extra !== null) return err("its proof holds an extra line");
	const note = parseNote(proof.value.checkpoint);
	if (!note.ok) return err(`its checkpoint is of another form: ${note.error}`);
	const checkpoint = parseCheckpoint(note.value.text);
	return checkpoint.ok ? ok({
		proof: proof.value,
		note: note.value,
		checkpoint: checkpoint.value
	}) : err(`its checkpoint is of another form: ${checkpoint.error}`);
}
/** A JWK with a `kid`, and nothing in it that this key does not have. */
function readIssuerKey(jwk) {
	const key = parsePublicJwk(jwk);
	if (!key.ok) return null;
	const { kid, use } = jwk;
	return typeof kid === "string" && kid !== "" && (use === void 0 || use === "sig") ? {
		kid,
		key: key.value
	} : null;
}
// src/core/proofs/receipt/verify.ts
/**
* The checks in their order; the first that fails is the break that is told. Each answers with one sentence, or null.
* Not checked: revocation of the issuer's key, the reader's clock, and (without the entry) what the link hides.
*/
const CHECKS = [
	["key_untrusted", keyUntrusted],
	["statement_signature", statementSignature],
	["tenant_mismatch", tenantMismatch],
	["statement_mismatch", statementMismatch],
	["link_hash", linkHash],
	["inclusion", inclusion],
	["checkpoint_signature", checkpointSignature],
	["witness_signature", witnessSignature],
	["not_witnessed", notWitnessed],
	["cosignature_quorum", cosignatureQuorum]
];
CHECKS.map(([code]) => code);
/** Judges a receipt whose form is good. */
function verifyReceipt(read, options) {
	for (const [code, check] of CHECKS) {
		const detail = check(read, options);
		if (detail === null) continue;
		const witnesses = code === "cosignature_quorum" ? witnessesOf(read, options) : [];
		return {
			fault: {
				code,
				detail
			},
			witnesses
		};
	}
	return {
		fault: null,
		witnesses: witnessesOf(read, options)
	};
}
function keyUntrusted({ token, issuerKey, claims, logKey }, { issuerKeys, witnessKeys }) {
	const { kid } = token.header;
	if (issuerKeys !== null) {
		const given = issuerKeys.find((key) => key.kid === kid);
		if (given === void 0) return `no given issuer key has the kid ${kid} of the statement`;
		if (given.kid !== issuerKey.kid || given.key.thumbprint !== issuerKey.key.thumbprint) return "issuer_jwk is not the given key of its kid";
	}
	const pinned = keysOf("ed25519", witnessKeys).filter(({ name }) => name === claims.iss);
	return pinned.length > 0 && !pinned.some(({ text }) => text === logKey.text) ? "the log key of the statement is none of the given ones" : null;
}
function statementSignature({ token, issuerKey }) {
	const { header, signingInput, signature } = token;
	const { kid, key } = issuerKey;
	if (header.kid !== kid) return "the statement was signed with another key than issuer_jwk";
	if (header.alg !== key.alg) return `the key signs by ${key.alg}, the header says ${header.alg}`;
	const publicKey = createPublicKey({
		key: { ...key.jwk },
		format: "jwk"
	});
	const input = Buffer.from(signingInput, "latin1");
	return (key.alg === "EdDSA" ? verify(null, input, publicKey, signature) : verify("sha256", input, {
		key: publicKey,
		dsaEncoding: "ieee-p1363"
	}, signature)) ? null : "the signature of the statement is not of its key";
}
function tenantMismatch({ claims: { iss, tenant_id: tenantId } }, { expectedTenant }) {
	if (!iss.endsWith(`/${tenantId}`)) return "the ledger it names is of another tenant";
	return expectedTenant === null || expectedTenant === tenantId ? null : `it is of ${tenantId}, not of ${expectedTenant}`;
}
function statementMismatch(read) {
	const { receipt, claims, checkpoint, proof, logKey } = read;
	if (receipt.witnessed !== claims.witnessed) return "witnessed is not what the signed statement says";
	if (checkpoint.origin !== claims.iss) return "the checkpoint is of another ledger";
	if (logKey.name !== claims.iss) return "the log key is of another ledger";
	if (proof.index > BigInt(claims.entry.seq)) return "the proof is of a later entry";
	const { entry } = receipt;
	if (entry === null) return claims.entry.mac === null && claims.entry.body_sha256 === null ? null : "the entry that the statement describes was left out";
	if (!isSame(statedEntry(entry, true), claims.entry)) return "the entry is not the one of the statement";
	const told = claimsOfBody(entry.body);
	if (!told.ok) return told.error;
	const other = Object.entries(told.value).find(([name, value]) => !isSame(value, stated(claims, told.value, name)));
	return other === void 0 ? null : `${other[0]} of the statement is not what the entry says`;
}
/** The reason that a countersignature takes away: it comes after the entry of the decision, as one of its own. */
const UNTIL_COUNTERSIGNED = "grantex_countersignature_missing";
/** A claim as the entry would have to say it. A decision that was countersigned later is usable by that. */
function stated(claims, entry, name) {
	return (claims.usable && claims.usable_reason === null && entry.usable_reason === UNTIL_COUNTERSIGNED ? {
		...claims,
		usable: entry.usable,
		usable_reason: entry.usable_reason
	} : claims)[name];
}
const isSame = (one, other) => canonicalize(one) === canonicalize(other);
function linkHash({ receipt: { entry }, claims }) {
	if (entry === null) return null;
	return entryLink({
		...entry,
		tenantId: claims.tenant_id
	}, entry.mac) === entry.link ? null : "the link is not the hash of the entry";
}
function inclusion({ claims, proof, checkpoint }) {
	return verifyInclusion({
		index: proof.index,
		size: checkpoint.size,
		leafHash: leafHash(Buffer.from(claims.entry.link, "hex")),
		proof: proof.hashes,
		root: checkpoint.root
	}) ? null : "the proof does not lead from the entry to the root of the checkpoint";
}
function checkpointSignature({ note, logKey }) {
	const verified = verifyNote(note, [logKey]);
	if (!verified.ok) return "the signature of the checkpoint is not of the log key";
	return verified.value.verified.length > 0 ? null : "the log key did not sign the checkpoint";
}
function witnessSignature({ note }, { witnessKeys }) {
	const verified = verifyNote(note, keysOf("cosignature", witnessKeys));
	return verified.ok ? null : `the cosignature of ${verified.error.key.name} is not of its key`;
}
function notWitnessed({ claims }, { witnessKeys, requireWitnessed }) {
	return (requireWitnessed || keysOf("cosignature", witnessKeys).length > 0) && !claims.witnessed ? "it says itself that no quorum of witnesses cosigned" : null;
}
function cosignatureQuorum(read, options) {
	const { witnessKeys, witnessQuorum, requireWitnessed } = options;
	if (!requireWitnessed && keysOf("cosignature", witnessKeys).length === 0) return null;
	const given = witnessKeys ?? [];
	const { signed, ...quorum } = quorumOf(given, cosignersOf(read, given));
	if (signed >= witnessQuorum) return null;
	const missing = quorum.missing.join(", ") || "none";
	return `${signed} of ${quorum.given} witness keys given cosigned, ${witnessQuorum} are asked for; missing: ${missing}`;
}
function cosignersOf({ note }, given) {
	const verified = verifyNote(note, keysOf("cosignature", given));
	return verified.ok ? verified.value.verified : [];
}
/** Lines of the checkpoint that have the form of a cosignature. None of them is verified here. */
const carriedCosignatures = ({ note, logKey }) => note.signatures.filter(({ name, keyId, signature }) => !(name === logKey.name && keyId === logKey.keyId) && parseCosignature(signature) !== null).length;
/** The verified cosigners, each public key once: a cosignature does not name its cosigner. */
function witnessesOf(read, { witnessKeys }) {
	const { note, claims } = read;
	return [...new Map(cosignersOf(read, witnessKeys ?? []).map((key) => [Buffer.from(key.publicKey).toString("hex"), key])).values()].map(({ name, keyId }) => {
		const line = note.signatures.find((each) => each.name === name && each.keyId === keyId);
		return {
			name,
			isSelf: claims.self_witnesses.includes(name),
			timeSeconds: line === void 0 ? 0 : parseCosignature(line.signature)?.timeSeconds ?? 0
		};
	});
}
const keysOf = (kind, keys) => (keys ?? []).filter((key) => key.kind === kind);
// src/verifiers/bounded-file.ts
const BLOCK_BYTES = 65536;
/**
* The bytes of a file, or null when it has more than so many: a device or a file that grows has no end. Throws what the
* system says when it cannot be opened or read.
*/
function readBounded(path, bytesMax) {
	const descriptor = openSync(path, "r");
	try {
		const block = Buffer.allocUnsafe(BLOCK_BYTES);
		const parts = [];
		for (let bytes = 0; bytes <= bytesMax;) {
			const count = readSync(descriptor, block, 0, BLOCK_BYTES, null);
			if (count === 0) return Buffer.concat(parts);
			bytes += count;
			parts.push(Buffer.from(block.subarray(0, count)));
		}
		return null;
	} finally {
		closeSync(descriptor);
	}
}
// src/verifiers/read-fault.ts
/** Why a file that was named on the command line cannot be read, as one sentence. Throws what is no error of the system. */
function readFault(path, error) {
	const code = error instanceof Error && "code" in error ? String(error.code) : null;
	if (code === null) throw error;
	return code === "ENOENT" ? `there is no file ${path}` : `${path} cannot be read (${code})`;
}
const HELP = ["--help", "-h"];
/** Whether a call gets the usage and nothing else. */
const asksForHelp = (given) => given.some((word) => HELP.includes(word));
// src/verifiers/verify-receipt.ts
/**
* Checks a decision receipt offline. Exit code 0: verified; 1: the first check that failed is named; 2: no readable
* receipt, or options that cannot be used. Asks no network and no database.
*/
const USAGE = `usage: verify-receipt.mjs RECEIPT.json [--issuer-keys JWKS.json] [--witness-keys FILE] [--witness-quorum n]
       [--expected-tenant T] [--require-witnessed] [--json] [--help]

--issuer-keys      the issuer's JWK Set from elsewhere: without it nobody says whose signature it is
--witness-keys     C2SP verifier keys of witnesses you trust (and of the log, to pin it), one a line; with it at least
                   --witness-quorum of them (default 1) have to have cosigned
--expected-tenant  the tenant the receipt has to be of
--require-witnessed  a receipt that no quorum cosigned is not enough; needs --witness-keys`;
const EXIT = {
	verified: 0,
	broken: 1,
	unreadable: 2
};
const WITH_VALUE = [
	"--issuer-keys",
	"--witness-keys",
	"--witness-quorum",
	"--expected-tenant"
];
const FLAGS = ["--require-witnessed", "--json"];
function readArguments(words) {
	const given = /* @__PURE__ */ new Map();
	const files = [];
	for (let at = 0; at < words.length; at += 1) {
		const [name = "", ...rest] = (words[at] ?? "").split("=");
		const isFlag = FLAGS.includes(name) && rest.length === 0;
		if (!name.startsWith("--")) files.push(words[at] ?? "");
		else if (!isFlag && !WITH_VALUE.includes(name)) return err(`there is no option ${name}`);
		else if (given.has(name)) return err(`${name} is given twice`);
		else if (isFlag) given.set(name, "");
		else {
			const value = rest.length > 0 ? rest.join("=") : words[at += 1];
			if (value === void 0 || value === "") return err(`${name} needs a value`);
			given.set(name, value);
		}
	}
	const [file, another] = files;
	if (file === void 0 || another !== void 0) return err("name one receipt");
	const options = readOptions(given);
	return options.ok ? ok({
		file,
		json: given.has("--json"),
		options: options.value
	}) : options;
}
function readOptions(given) {
	const issuerKeys = readKeys(given.get("--issuer-keys"), issuerKeysOf);
	if (!issuerKeys.ok) return issuerKeys;
	const witnessKeys = readKeys(given.get("--witness-keys"), witnessKeysOf);
	if (!witnessKeys.ok) return witnessKeys;
	const quorum = given.get("--witness-quorum") ?? "1";
	if (!/^[1-9]\d{0,8}$/.test(quorum)) return err("--witness-quorum is a whole number from 1 on");
	const requireWitnessed = given.has("--require-witnessed");
	const needsWitnesses = requireWitnessed || given.has("--witness-quorum");
	const hasWitnesses = witnessKeys.value?.some(({ kind }) => kind === "cosignature") === true;
	if (needsWitnesses && !hasWitnesses) return err("give the keys of witnesses with --witness-keys: without them no cosignature is checked");
	const fault = needsWitnesses ? quorumFault(Number(quorum), witnessKeys.value ?? []) : null;
	if (fault !== null) return err(fault);
	return ok({
		issuerKeys: issuerKeys.value,
		witnessKeys: witnessKeys.value,
		witnessQuorum: Number(quorum),
		expectedTenant: given.get("--expected-tenant") ?? null,
		requireWitnessed
	});
}
function readKeys(path, parse) {
	if (path === void 0) return ok(null);
	const text = readText(path);
	if (!text.ok) return text;
	const keys = parse(text.value);
	return keys.ok ? keys : err(`${path}: ${keys.error}`);
}
/** A JWK Set (RFC 7517 section 5). A key that is of no use for receipts makes no fault: sets hold others too. */
function issuerKeysOf(text) {
	const parsed = parseStrictJson(text);
	const listed = (parsed.ok ? parsed.value : null)?.["keys"];
	if (!Array.isArray(listed)) return err("it is no JWK Set {\"keys\":[...]}");
	const keys = listed.flatMap((jwk) => readIssuerKey(jwk) ?? []);
	if (new Set(keys.map(({ kid }) => kid)).size < keys.length) return err("a kid is there twice");
	return keys.length > 0 ? ok(keys) : err("it holds no public key with a kid");
}
/** One C2SP verifier key a line, `#` comments. */
function witnessKeysOf(text) {
	const keys = [];
	for (const [index, whole] of text.split("\n").entries()) {
		const line = whole.trim();
		if (line === "" || line.startsWith("#")) continue;
		const key = parseVkey(line);
		if (!key.ok) return err(`line ${index + 1}: ${key.error}`);
		const { name, keyId } = key.value;
		if (keys.some((other) => other.name === name && other.keyId === keyId)) return err(`line ${index + 1}: this key is there twice`);
		keys.push(key.value);
	}
	return keys.length > 0 ? ok(keys) : err("it holds no key");
}
function readText(path) {
	try {
		const bytes = readBounded(path, RECEIPT_BYTES_MAX);
		if (bytes === null) return err(`${path} is longer than ${RECEIPT_BYTES_MAX} bytes`);
		const text = decodeUtf8(bytes);
		return text === null ? err(`${path} is no UTF-8 text`) : ok(text);
	} catch (error) {
		return err(readFault(path, error));
	}
}
const instant = (seconds) => {
	const atMs = seconds * 1e3;
	return atMs <= Date.UTC(9999, 11, 31) ? formatInstant(atMs) : `second ${seconds}`;
};
function documentOf(read, { fault, witnesses }, wish) {
	const { claims, checkpoint, proof, receipt } = read;
	return {
		result: fault === null ? "verified" : "broken",
		break: fault?.code ?? null,
		decision_id: claims.sub,
		tenant_id: claims.tenant_id,
		world: claims.world,
		outcome: claims.outcome,
		issuer: wish.options.issuerKeys === null ? "untrusted" : "given",
		entry: receipt.entry === null ? "link" : "whole",
		checkpoint: {
			origin: checkpoint.origin,
			size: checkpoint.size.toString(),
			index: proof.index.toString(),
			root: Buffer.from(checkpoint.root).toString("hex")
		},
		witnessed: claims.witnessed,
		carried_cosignatures: carriedCosignatures(read),
		witnesses: witnesses.map(({ name, isSelf, timeSeconds }) => ({
			name,
			self: isSelf,
			cosigned_at: instant(timeSeconds)
		})),
		message: fault?.detail ?? null
	};
}
/** What was proved, then what was not: a line each. */
function linesOf(read, { fault, witnesses }, wish) {
	const { claims, checkpoint, proof, receipt } = read;
	if (fault !== null) return [`${fault.code}: ${fault.detail}`, fault.code === "cosignature_quorum" ? "Do not rely on this receipt: ask its issuer for one that the missing witnesses cosigned." : "Do not rely on this receipt: ask its issuer for a new one and compare."];
	const { sub, outcome, reason, tenant_id: tenantId, world, decided_at: decidedAt } = claims;
	const { amount, currency } = claims.amount;
	const cosigners = witnesses.map(({ name, isSelf, timeSeconds }) => `${name}${isSelf ? " (run by the issuer itself)" : ""} at ${instant(timeSeconds)}`);
	const gaps = [
		...wish.options.issuerKeys === null ? ["whose signature it is: the key comes from the receipt itself, give --issuer-keys"] : [],
		...witnesses.length > 0 ? [] : [unwitnessedText(read)],
		...receipt.entry === null ? ["the rest of the entry: the receipt binds it by its link only"] : [],
		...world === "test" ? ["a real purchase: it is of the test world"] : []
	];
	return [
		`verified: ${outcome} ${sub}${reason === null ? "" : ` (${reason})`}, ${amount} minor units ${currency}, decided at ${decidedAt}`,
		`tenant ${tenantId}; entry ${claims.entry.seq} is leaf ${proof.index} of ${checkpoint.size} under ${checkpoint.origin}`,
		...cosigners.map((line) => `cosigned by ${line}`),
		...gaps.map((gap) => `not proved: ${gap}`)
	];
}
/** No cosignature was checked: what the receipt says of them, and how many it has. */
function unwitnessedText(read) {
	const count = carriedCosignatures(read);
	const carried = `it carries ${count} ${count === 1 ? "cosignature" : "cosignatures"}`;
	return `${read.claims.witnessed ? "that a quorum of witnesses cosigned, as the receipt says" : "anything by others: the receipt says that no quorum of witnesses cosigned"}; ${carried}${count === 0 ? "" : ", none of them was checked"}${read.claims.witnessed ? ": give --witness-keys" : ""}`;
}
function run(words) {
	const unreadable = (message) => {
		if (words.includes("--json")) process.stdout.write(`${JSON.stringify({
			result: "unreadable",
			message
		})}\n`);
		else process.stderr.write(`${message}\n`);
		return EXIT.unreadable;
	};
	if (asksForHelp(words)) {
		process.stdout.write(`${USAGE}\n`);
		return 2;
	}
	const wish = readArguments(words);
	if (!wish.ok) return unreadable(`${wish.error}\n${USAGE}`);
	const text = readText(wish.value.file);
	if (!text.ok) return unreadable(text.error);
	const read = readReceipt(text.value);
	if (!read.ok) return unreadable(printable(`This is no readable receipt: ${read.error}.`));
	const verdict = verifyReceipt(read.value, wish.value.options);
	const answer = wish.value.json ? JSON.stringify(documentOf(read.value, verdict, wish.value)) : linesOf(read.value, verdict, wish.value).map(printable).join("\n");
	process.stdout.write(`${answer}\n`);
	return verdict.fault === null ? EXIT.verified : EXIT.broken;
}
/** What is printed of a file that somebody else made steers no terminal, and begins no line that would look like ours. */
const printable = (line) => line.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
process.on("uncaughtException", () => process.exit(EXIT.unreadable));
try {
	process.exitCode = run(process.argv.slice(2));
} catch (error) {
	process.stderr.write(`A fault of this program: ${String(error)}\n`);
	process.exitCode = EXIT.unreadable;
}
export {};
