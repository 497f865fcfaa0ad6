// Written by `npm run generate` from src/verifiers/verify-ledger.ts: runs alone, asks no network. Not edited by hand.
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { createHash, createHmac, createPublicKey, hash, timingSafeEqual, verify } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { availableParallelism } from "node:os";
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
const DECIMAL$2 = /-?(?:0|[1-9][0-9]*)\.[0-9]+/y;
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
	const decimal = cursor.takesDecimals ? takeMatch(cursor, DECIMAL$2) : null;
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
/** SHA-256 of nothing: the root of a tree without leaves (RFC 6962 section 2.1). */
const EMPTY_ROOT = sha256("");
/** `SHA-256(01 || left || right)` (RFC 6962 section 2.1). Both are hashes of {@link HASH_BYTES}. */
function nodeHash(left, right) {
	const bytes = Buffer.allocUnsafe(65);
	bytes[0] = NODE_PREFIX;
	bytes.set(left, 1);
	bytes.set(right, 33);
	return sha256(bytes);
}
const EMPTY_RANGE = {
	size: 0,
	peaks: []
};
function rootOf(range) {
	return foldRight(range.peaks) ?? EMPTY_ROOT;
}
/** The smaller subtrees stand on the right and are joined first. */
function foldRight(peaks) {
	let root = peaks.at(-1);
	for (let index = peaks.length - 2; index >= 0; index -= 1) {
		const left = peaks[index];
		if (left !== void 0 && root !== void 0) root = nodeHash(left, root);
	}
	return root;
}
/** How many ones a size has in binary: the number of its complete subtrees. */
function peakCount(size) {
	let count = 0;
	for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
	return count;
}
/**
* Appends leaves to a tree that is kept as its {@link CompactRange}.
* Hashes stand in it as strings of 32 latin1 characters: node:crypto makes those four times as fast as buffers.
*/
var TreeBuilder = class TreeBuilder {
	onNode;
	#size;
	/** Leaves in front of `begin` are not known: only subtrees behind it are joined. */
	#begin = 0;
	/** Complete subtrees whose left sibling starts before `begin`; the smaller ones first, as they stand. */
	#left = [];
	/** Roots of complete subtrees; the place is the level. What no bit of the size stands for is left over. */
	#byLevel = [];
	#leaf = Buffer.alloc(33, LEAF_PREFIX);
	#node = Buffer.alloc(65, NODE_PREFIX);
	constructor(range = EMPTY_RANGE, onNode) {
		this.onNode = onNode;
		invariant(Number.isSafeInteger(range.size) && range.size >= 0, "a tree has a whole number of leaves");
		invariant(range.peaks.length === peakCount(range.size) && range.peaks.every(({ length }) => length === 32), "a range has one hash for each complete subtree");
		this.#size = range.size;
		let next = range.peaks.length - 1;
		for (let rest = range.size; rest > 0; rest = Math.floor(rest / 2)) this.#byLevel.push(rest % 2 === 1 ? textOf(range.peaks[next--] ?? EMPTY_ROOT) : "");
	}
	/** A part of a tree from leaf `begin` on, whose leaves before are somebody else's: see {@link subtrees}. */
	static from(begin) {
		const builder = new TreeBuilder();
		builder.#begin = begin;
		builder.#size = begin;
		return builder;
	}
	get size() {
		return this.#size;
	}
	pushLeafHash(leaf) {
		this.#push(0, textOf(leaf));
	}
	/** Appends the leaf of a sealed entry: its data are the 32 bytes of its link, given in hex. */
	pushLink(link) {
		this.#leaf.write(link, 1, "hex");
		this.#push(0, hash("sha256", this.#leaf, "binary"));
	}
	/** Appends all leaves of a complete subtree, which fits here: the size is a multiple of its leaves. */
	pushSubtree(subtree) {
		invariant(this.#size % 2 ** subtree.level === 0, "a subtree stands where one of its size starts");
		this.#push(subtree.level, textOf(subtree.hash));
	}
	/** The complete subtrees that hold the leaves from `begin` on, left to right. */
	subtrees() {
		const right = [];
		for (let level = 0, rest = this.#size; rest > 0; level += 1, rest = Math.floor(rest / 2)) {
			const hash = this.#byLevel[level];
			if (rest % 2 === 0 || hash === void 0 || (rest - 1) * 2 ** level < this.#begin) continue;
			right.unshift({
				level,
				hash
			});
		}
		return [...this.#left, ...right].map(({ level, hash: text }) => ({
			level,
			hash: Buffer.from(text, "latin1")
		}));
	}
	range() {
		return {
			size: this.#size,
			peaks: this.subtrees().map((subtree) => subtree.hash)
		};
	}
	root() {
		return rootOf(this.range());
	}
	#push(fromLevel, fromHash) {
		let level = fromLevel;
		let complete = fromHash;
		let width = 2 ** level;
		let index = this.#size / width;
		this.#size += width;
		this.#told(level, index, complete);
		while (index % 2 === 1) {
			if ((index - 1) * width < this.#begin) {
				this.#left.push({
					level,
					hash: complete
				});
				return;
			}
			this.#node.write(this.#byLevel[level] ?? "", 1, "latin1");
			this.#node.write(complete, 33, "latin1");
			complete = hash("sha256", this.#node, "binary");
			level += 1;
			width *= 2;
			index = (index - 1) / 2;
			this.#told(level, index, complete);
		}
		this.#byLevel[level] = complete;
	}
	#told(level, index, text) {
		if (this.onNode !== void 0) this.onNode(level, index, Buffer.from(text, "latin1"));
	}
};
const textOf = (bytes) => Buffer.from(bytes).toString("latin1");
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
const DECIMAL$1 = /^(?:0|[1-9][0-9]{0,19})$/;
/** An unsigned 64-bit number in decimal digits without leading zeros, or null. */
function parseUint64(text) {
	if (!DECIMAL$1.test(text)) return null;
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
const QUOTE$1 = 34;
const BACKSLASH$1 = 92;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const MINUS = 45;
const DIGIT_0$1 = 48;
const DIGIT_9 = 57;
/** 1 for bytes that stand for themselves in a string: all but controls, the quote and the backslash. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => byte < 32 || byte === QUOTE$1 || byte === BACKSLASH$1 ? 0 : 1);
const ascii$2 = (text) => Uint8Array.from(Buffer.from(text, "latin1"));
const ACTOR_ID = ascii$2("{\"actor\":{\"id\":\"");
const ACTOR_ROLE = ascii$2(",\"role\":\"");
const AT = ascii$2("},\"at\":\"");
const DATA = ascii$2(",\"data\":{");
const ID = ascii$2(",\"id\":\"");
const REQUEST_ID = ascii$2(",\"request_id\":\"");
const SIGNATURE = ascii$2(",\"signature\":{");
/** What stands before each member's value, and whether the value may be null; all of them are strings. */
const SIGNATURE_MEMBERS = [
	[ascii$2("\"agent\":"), true],
	[ascii$2(",\"coverage\":"), false],
	[ascii$2(",\"created\":"), true],
	[ascii$2(",\"expires\":"), true],
	[ascii$2(",\"keyid\":"), false],
	[ascii$2(",\"nonce_hash\":"), true],
	[ascii$2(",\"profile\":"), false],
	[ascii$2(",\"tag\":"), true]
];
const TYPE = ascii$2(",\"type\":\"");
const OPEN_QUOTE = ascii$2("\"");
const CLOSE = ascii$2("}");
const VERSION = ascii$2(",\"v\":1}");
const LETTER_T = 116;
const LETTER_F = 102;
const LETTER_N = 110;
const TRUE = ascii$2("true");
const FALSE = ascii$2("false");
const NULL = ascii$2("null");
const SHORT_ESCAPES = ascii$2("\"\\bfnrt");
/** The controls that have a short escape, which is then the only canonical one: \b \t \n \f \r. */
const SHORT_CONTROLS = /* @__PURE__ */ new Set([
	8,
	9,
	10,
	12,
	13
]);
/** No position: what was read is not canonical. */
const NOWHERE = -1;
/**
* Says in one pass whether bytes are the body of an entry in canonical form (RFC 8785 over our closed schema): objects,
* arrays, strings, booleans, null and safe integers; members sorted by UTF-16 code units, none twice; no white space;
* escapes only where needed and in their shortest form; at most {@link BODY_DEPTH_MAX} deep; and exactly the members
* `actor{id,role}`, `at`, `data` (an object), `id`, `request_id`, `type`, `v` (1), all others strings; between `request_id`
* and `type` there may be `signature{agent,coverage,created,expires,keyid,nonce_hash,profile,tag}`, strings or null.
*
* The caller has checked that the bytes are UTF-8, and a zero byte stands behind them, which ends every loop.
* Not checked: that `at` is an instant, and what `data` holds.
*/
var BodyScanner = class {
	#bytes = /* @__PURE__ */ new Uint8Array(1);
	#typeBegin = 0;
	#dataBegin = 0;
	/** Whether `bytes` from `begin` to `end` are a canonical body; then {@link typeIs} and {@link dataIsTrue} are of it. */
	scan(bytes, begin, end) {
		this.#bytes = bytes;
		let at = this.#string(this.#literal(begin, ACTOR_ID));
		at = this.#string(this.#literal(at, ACTOR_ROLE));
		at = this.#string(this.#literal(at, AT));
		at = this.#literal(at, DATA);
		if (at === NOWHERE) return false;
		this.#dataBegin = at - 1;
		at = this.#value(at - 1, 2);
		at = this.#string(this.#literal(at, ID));
		at = this.#signature(this.#string(this.#literal(at, REQUEST_ID)));
		at = this.#literal(at, TYPE);
		this.#typeBegin = at;
		at = this.#string(at);
		return this.#literal(at, VERSION) === end;
	}
	/** Of a request that was signed; most were not. */
	#signature(from) {
		const inside = this.#literal(from, SIGNATURE);
		if (inside === NOWHERE) return from;
		let at = inside;
		for (const [before, isNullable] of SIGNATURE_MEMBERS) {
			at = this.#literal(at, before);
			at = isNullable && this.#bytes[at] === LETTER_N ? this.#literal(at, NULL) : this.#string(this.#literal(at, OPEN_QUOTE));
		}
		return this.#literal(at, CLOSE);
	}
	/** Whether the scanned `type` is this text, which needs no escapes. */
	typeIs(type) {
		return this.#stringIs(this.#typeBegin, type);
	}
	/**
	* Whether `true` stands in the scanned `data` under these member names, each inside the one before; they need no
	* escapes. Nothing is copied, however large the data.
	*/
	dataIsTrue(names) {
		let at = this.#dataBegin;
		for (const name of names) at = this.#member(at, name);
		return this.#literal(at, TRUE) !== NOWHERE;
	}
	/** Where the value of a member starts, in a canonical value; nowhere when it is no object or has no such member. */
	#member(object, name) {
		const bytes = this.#bytes;
		if (object === NOWHERE || bytes[object] !== OPEN_BRACE) return NOWHERE;
		let at = object + 1;
		while (bytes[at] === QUOTE$1) {
			const value = this.#string(at + 1) + 1;
			if (this.#stringIs(at + 1, name)) return value;
			at = this.#value(value, 1) + 1;
		}
		return NOWHERE;
	}
	#stringIs(begin, text) {
		const end = this.#literal(begin, text);
		return end !== NOWHERE && this.#bytes[end] === QUOTE$1;
	}
	#text(begin, end) {
		return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + begin, end - begin).toString();
	}
	#literal(from, literal) {
		if (from === NOWHERE) return NOWHERE;
		const bytes = this.#bytes;
		for (let index = 0; index < literal.length; index += 1) if (bytes[from + index] !== literal[index]) return NOWHERE;
		return from + literal.length;
	}
	/** From behind the opening quote to behind the closing one. */
	#string(from) {
		if (from === NOWHERE) return NOWHERE;
		const bytes = this.#bytes;
		let at = from;
		for (;;) {
			const byte = bytes[at] ?? 0;
			at += 1;
			if (PLAIN[byte] === 1) continue;
			if (byte === QUOTE$1) return at;
			if (byte !== BACKSLASH$1) return NOWHERE;
			at = this.#escape(at);
			if (at === NOWHERE) return NOWHERE;
		}
	}
	/** From behind the backslash: a short escape, or `u00` and two lowercase digits for a control without one. */
	#escape(at) {
		const bytes = this.#bytes;
		const letter = bytes[at] ?? 0;
		if (SHORT_ESCAPES.includes(letter)) return at + 1;
		const digits = Buffer.from(bytes.subarray(at, at + 5)).toString("latin1");
		if (!/^u00[01][0-9a-f]$/.test(digits)) return NOWHERE;
		return SHORT_CONTROLS.has(parseInt(digits.slice(3), 16)) ? NOWHERE : at + 5;
	}
	#value(at, depth) {
		switch (this.#bytes[at] ?? 0) {
			case QUOTE$1: return this.#string(at + 1);
			case OPEN_BRACE: return depth > 32 ? NOWHERE : this.#object(at + 1, depth);
			case OPEN_BRACKET: return depth > 32 ? NOWHERE : this.#array(at + 1, depth);
			case LETTER_T: return this.#literal(at, TRUE);
			case LETTER_F: return this.#literal(at, FALSE);
			case LETTER_N: return this.#literal(at, NULL);
			default: return this.#integer(at);
		}
	}
	#object(from, depth) {
		const bytes = this.#bytes;
		if (bytes[from] === CLOSE_BRACE) return from + 1;
		let at = from;
		let nameBefore = NOWHERE;
		for (;;) {
			if (bytes[at] !== QUOTE$1) return NOWHERE;
			const name = at + 1;
			at = this.#string(name);
			if (at === NOWHERE || bytes[at] !== COLON) return NOWHERE;
			if (nameBefore !== NOWHERE && !this.#isBefore(nameBefore, name)) return NOWHERE;
			nameBefore = name;
			at = this.#value(at + 1, depth + 1);
			if (at === NOWHERE) return NOWHERE;
			const byte = bytes[at];
			at += 1;
			if (byte === CLOSE_BRACE) return at;
			if (byte !== COMMA) return NOWHERE;
		}
	}
	#array(from, depth) {
		const bytes = this.#bytes;
		if (bytes[from] === CLOSE_BRACKET) return from + 1;
		let at = from;
		for (;;) {
			at = this.#value(at, depth + 1);
			if (at === NOWHERE) return NOWHERE;
			const byte = bytes[at];
			at += 1;
			if (byte === CLOSE_BRACKET) return at;
			if (byte !== COMMA) return NOWHERE;
		}
	}
	#integer(from) {
		const bytes = this.#bytes;
		const isNegative = bytes[from] === MINUS;
		let at = isNegative ? from + 1 : from;
		const first = bytes[at] ?? 0;
		let value = 0;
		for (;;) {
			const byte = bytes[at] ?? 0;
			if (byte < DIGIT_0$1 || byte > DIGIT_9) break;
			value = value * 10 + (byte - DIGIT_0$1);
			if (value > Number.MAX_SAFE_INTEGER) return NOWHERE;
			at += 1;
		}
		const digits = at - (isNegative ? from + 1 : from);
		if (digits === 0 || first === DIGIT_0$1 && (digits > 1 || isNegative)) return NOWHERE;
		return at;
	}
	/**
	* Whether one member name sorts before another, both given by their first byte. UTF-8 sorts as code points do; UTF-16
	* puts the code points beyond U+FFFF (first byte f0 and more) in front of U+E000 to U+FFFF (ee and ef).
	*/
	#isBefore(left, right) {
		const bytes = this.#bytes;
		for (let index = 0;; index += 1) {
			const one = bytes[left + index] ?? 0;
			const other = bytes[right + index] ?? 0;
			if (one === BACKSLASH$1 || other === BACKSLASH$1) return this.#isBeforeUnescaped(left, right);
			if (one === other && one !== QUOTE$1) continue;
			if (one === QUOTE$1 || other === QUOTE$1) return other !== QUOTE$1;
			return one >= 238 && other >= 238 && one >= 240 !== other >= 240 ? one >= 240 : one < other;
		}
	}
	#isBeforeUnescaped(left, right) {
		const nameAt = (begin) => JSON.parse(`"${this.#text(begin, this.#string(begin))}`);
		return nameAt(left) < nameAt(right);
	}
};
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
const SMALL_ORDER_Y = /* @__PURE__ */ new Set([
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
	return SMALL_ORDER_Y.has(bytes.toString("hex"));
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
// src/core/chain/entry-bytes.ts
/** `prev` of the first sealed entry of a tenant, whatever its seq. */
const GENESIS_PREV = "0".repeat(64);
const KEY_ID = /^[A-Za-z0-9._-]{1,64}$/;
const DIGEST_HEX = /^[0-9a-f]{64}$/;
/** Names of HMAC keys: letters, digits and `._-`, at most 64. No newline, which separates the fields that are hashed. */
const isKeyId = (text) => KEY_ID.test(text);
/** SHA-256 as it stands in entries: 64 lowercase hex digits. */
const isDigestHex = (text) => DIGEST_HEX.test(text);
// src/core/chain/verifier-options.ts
const NO_OPTIONS = {
	expectedHead: null,
	secrets: null,
	witnessKeys: null,
	witnessQuorum: 1,
	requireSealed: false,
	requireSignatures: false
};
const DECIMAL = /^(?:0|[1-9][0-9]{0,15})$/;
const SECRET = /^[0-9a-fA-F]{64}$/;
const SECRET_LINE = /^(\S+)[ \t]+([0-9a-fA-F]{64})$/;
/** `<hash>` or `<seq>:<hash>`; the hash is 64 lowercase hex digits. */
function parseExpectedHead(text) {
	const [first = "", second, ...rest] = text.split(":");
	const hash = second ?? first;
	const seq = second === void 0 ? null : Number(first);
	const isSeq = seq === null || DECIMAL.test(first) && Number.isSafeInteger(seq);
	return rest.length === 0 && isSeq && isDigestHex(hash) ? ok({
		seq,
		hash
	}) : err("--expected-head is <hash> or <seq>:<hash>, the hash in 64 lowercase hex digits");
}
/** Lines that say something: trimmed, no comments, not empty; with their numbers. */
const linesOf$1 = (text) => text.split("\n").map((line, index) => [index + 1, line.replace(/^[ \t\r]+|[ \t\r]+$/g, "")]).filter(([, line]) => line !== "" && !line.startsWith("#"));
/**
* A file of derived keys: lines `<kid> <64 hex digits>`, or one line of 64 hex digits alone. The error names the line and
* never what stands in it.
*/
function parseSecrets(text) {
	const lines = linesOf$1(text);
	const [[, only = ""] = []] = lines;
	if (lines.length === 1 && SECRET.test(only)) return ok({
		kind: "only",
		key: Buffer.from(only, "hex")
	});
	const keys = /* @__PURE__ */ new Map();
	for (const [number, line] of lines) {
		const [, kid = "", secret = ""] = SECRET_LINE.exec(line) ?? [];
		if (!isKeyId(kid)) return err(`line ${number} is not <kid> <64 hex digits>`);
		if (keys.has(kid)) return err(`line ${number} names a key id that has a key already`);
		keys.set(kid, Buffer.from(secret, "hex"));
	}
	return keys.size === 0 ? err("there is no key in it") : ok({
		kind: "byKid",
		keys
	});
}
/** A file of C2SP verifier keys, one a line. The error names the line. */
function parseWitnessKeys(text) {
	const keys = [];
	for (const [number, line] of linesOf$1(text)) {
		const key = parseVkey(line);
		if (!key.ok) return err(`line ${number}: ${key.error}`);
		const { name, keyId } = key.value;
		if (keys.some((other) => other.name === name && other.keyId === keyId)) return err(`line ${number} gives a key a second time`);
		keys.push(key.value);
	}
	return keys.length === 0 ? err("there is no key in it") : ok(keys);
}
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
/** The HMAC keys for an export with these key ids. Refused: one key without key id for several, or for none. */
function keysFor(secrets, kids) {
	if (secrets === null) return ok(/* @__PURE__ */ new Map());
	if (secrets.kind === "byKid") return ok(secrets.keys);
	const [kid, ...others] = new Set(kids);
	return kid !== void 0 && others.length === 0 ? ok(/* @__PURE__ */ new Map([[kid, secrets.key]])) : err("the secret file names no key id, and the export has not exactly one");
}
// src/core/chain/end-checks.ts
/** Before the signatures of notes, in this order. */
const CHECKS = [
	truncated,
	headMismatch,
	(state) => anchorMismatch(state, {
		kind: "anchor",
		code: "anchor_mismatch"
	}),
	(state) => anchorMismatch(state, {
		kind: "witnessed_head",
		code: "witness_mismatch"
	}),
	digestMismatch,
	expectedHeadMismatch,
	checkpointSignature,
	witnessSignature
];
/** What is found when all rows were accepted: the first break, in the order of {@link EndBreakCode}. */
function judgeEnd(state) {
	for (const check of CHECKS) {
		const found = check(state);
		if (found !== null) return {
			found,
			witnesses: []
		};
	}
	const witnesses = newestCosigners(state);
	return {
		found: quorumMissed(state, witnesses) ?? notSealed(state) ?? signaturesUnverifiable(state),
		witnesses
	};
}
const atHead = (state, code) => ({
	code,
	seq: state.header.head.seq
});
function truncated({ header, anchors, trailer, options, lastSeq }) {
	const wanted = [
		header.head.seq,
		...anchors.map(({ seq }) => seq).slice(-1),
		options.expectedHead?.seq ?? 0
	];
	return trailer === null || wanted.some((seq) => lastSeq < seq) ? {
		code: "truncated",
		seq: lastSeq + 1
	} : null;
}
function headMismatch(state) {
	const { header, trailer, lastSeq, lastLink, sealedCount, unsealedCount } = state;
	const { sealing } = header;
	const isHead = (head) => head?.seq === lastSeq && head.hash === lastLink;
	const isCount = (counts) => counts?.sealed === sealedCount && counts.unsealed === unsealedCount;
	const kids = new Set(sealing.kids);
	return isHead(header.head) && isCount(header.counts) && sealing.enabled === state.sealing && sealing.sinceSeq === state.sinceSeq && kids.size === state.kidsSeen.size && [...kids].every((kid) => state.kidsSeen.has(kid)) && isHead(trailer?.head) && isCount(trailer?.counts) ? null : atHead(state, "head_mismatch");
}
function anchorMismatch({ header, anchors, stops }, { kind, code }) {
	const wrong = anchors.find((anchor) => {
		if (anchor.kind !== kind) return false;
		const stop = stops.get(anchor.seq);
		const { origin, size, root } = anchor.checkpoint;
		return !(stop !== void 0 && stop.link === anchor.hash && stop.size === anchor.size && size === BigInt(stop.size) && Buffer.compare(root, stop.root) === 0 && origin === header.origin);
	});
	return wrong === void 0 ? null : {
		code,
		seq: wrong.seq
	};
}
function digestMismatch(state) {
	return state.trailer?.digest === state.digest ? null : atHead(state, "digest_mismatch");
}
function expectedHeadMismatch(state) {
	const { expectedHead } = state.options;
	if (expectedHead === null) return null;
	const { seq, hash } = expectedHead;
	return (seq === null ? state.hasExpectedLink : state.stops.get(seq)?.link === hash) ? null : {
		code: "expected_head_mismatch",
		seq: seq ?? state.lastSeq
	};
}
const keysOf = ({ witnessKeys }, kind) => (witnessKeys ?? []).filter((key) => key.kind === kind);
/**
* With a key of a log given: the file is not of a log whose key was given, a line of a given log key fails, or a note
* has no line of the file's own log. Witnesses know a log by its name alone, and cosign another log of the same operator
* as honestly as this one.
*/
function checkpointSignature({ header, anchors, options }) {
	const code = "checkpoint_signature";
	const keys = keysOf(options, "ed25519");
	if (keys.length === 0) return null;
	const own = keys.filter(({ name }) => name === header.origin);
	if (own.length === 0) return {
		code,
		seq: header.head.seq
	};
	const isOwn = ({ name, keyId }) => own.some((key) => key.name === name && key.keyId === keyId);
	for (const { seq, text, notes } of signedTexts(anchors)) if (!verifyNote({
		text,
		signatures: notes.flat()
	}, keys).ok || !notes.every((lines) => lines.some(isOwn))) return {
		code,
		seq
	};
	return null;
}
/** A line of a given witness key fails, in an anchor or a witnessed head. */
function witnessSignature({ anchors, options }) {
	const keys = keysOf(options, "cosignature");
	const failed = signedTexts(anchors).find(({ text, notes }) => !verifyNote({
		text,
		signatures: notes.flat()
	}, keys).ok);
	return failed === void 0 ? null : {
		code: "witness_signature",
		seq: failed.seq
	};
}
/**
* What is signed, once for all checkpoints that say it: who repeats one a thousand times is not verified as often. Those
* of one text are of one seq by now, so the first that fails in this order is the first in the file's.
*/
function signedTexts(anchors) {
	const byText = /* @__PURE__ */ new Map();
	for (const { seq, signedNote } of anchors) {
		const { text, signatures } = signedNote;
		const same = byText.get(text);
		if (same === void 0) byText.set(text, {
			seq,
			text,
			notes: [signatures]
		});
		else same.notes.push(signatures);
	}
	return [...byText.values()];
}
const newestWitnessed = (anchors) => anchors.findLast(({ kind }) => kind === "witnessed_head");
function newestCosigners({ anchors, options }) {
	const newest = newestWitnessed(anchors);
	if (newest === void 0 || options.witnessKeys === null) return [];
	const verified = verifyNote(newest.signedNote, keysOf(options, "cosignature"));
	return verified.ok ? verified.value.verified : [];
}
function quorumMissed(state, witnesses) {
	if (state.options.witnessKeys === null) return null;
	if (witnessCount(witnesses) >= state.options.witnessQuorum) return null;
	return {
		code: "cosignature_quorum",
		seq: newestWitnessed(state.anchors)?.seq ?? state.header.head.seq
	};
}
function notSealed(state) {
	return state.options.requireSealed && state.sealedCount === 0 ? atHead(state, "not_sealed") : null;
}
function signaturesUnverifiable(state) {
	const isChecked = state.sealedCount === 0 || state.options.secrets !== null && state.uncheckedCount === 0;
	return state.options.requireSignatures && !isChecked ? atHead(state, "signatures_unverifiable") : null;
}
// src/core/chain/entry-form.ts
const ascii$1 = (text) => Uint8Array.from(Buffer.from(text, "latin1"));
const OPENED = ascii$1("ledger.opened");
const SEALING_SWITCHED = ascii$1("ledger.sealing_switched");
/** Where the data of each says that sealing is on. */
const ON_IN_OPENED = [ascii$1("sealing"), ascii$1("on")];
const ON_IN_SWITCHED = [ascii$1("on")];
/** What a verifier reads of a body. */
var EntryForm = class {
	/** Whether the body is one of an entry at its place: canonical, and of type `ledger.opened` at seq 0 and only there. */
	isEntry = false;
	/** What an entry says about sealing from itself on; null for most. A body that is no entry's says nothing. */
	declaredSealing = null;
	#scanner = new BodyScanner();
	/** Reads a body: UTF-8 with a zero byte behind it (see {@link BodyScanner}). */
	read(place) {
		const { bytes, begin, end, seq } = place;
		const scanner = this.#scanner;
		this.declaredSealing = null;
		this.isEntry = scanner.scan(bytes, begin, end);
		if (!this.isEntry) return;
		const isOpening = scanner.typeIs(OPENED);
		this.isEntry = seq === 0 === isOpening;
		if (!this.isEntry) return;
		if (isOpening) this.declaredSealing = scanner.dataIsTrue(ON_IN_OPENED);
		else if (scanner.typeIs(SEALING_SWITCHED)) this.declaredSealing = scanner.dataIsTrue(ON_IN_SWITCHED);
	}
	readText(body, seq) {
		const bytes = Buffer.from(`${body}\0`, "utf8");
		this.read({
			bytes,
			begin: 0,
			end: bytes.length - 1,
			seq
		});
	}
};
// src/core/chain/export-format.ts
/** `format` of the header. */
const EXPORT_FORMAT = "oacp-commerce-ledger";
const headerMembers = (header) => ({
	format: EXPORT_FORMAT,
	version: 1,
	tenant_id: header.tenantId,
	exported_at: header.exportedAt,
	sealing: {
		enabled: header.sealing.enabled,
		since_seq: header.sealing.sinceSeq,
		kids: header.sealing.kids
	},
	head: headMembers(header.head),
	counts: countMembers(header.counts),
	origin: header.origin,
	log_key: header.logKey,
	self_witnesses: header.selfWitnesses
});
const headMembers = ({ seq, hash }) => ({
	seq,
	hash
});
const countMembers = ({ sealed, unsealed }) => ({
	sealed,
	unsealed
});
const anchorMembers = ({ seq, hash, size, note }) => ({
	seq,
	hash,
	size,
	note
});
/** The header's canonical line. No line written here carries its LF. */
const exportHeaderLine = (header) => canonicalize({
	kind: "header",
	...headerMembers(header)
});
const exportAnchorLine = (anchor) => canonicalize({
	kind: anchor.kind,
	...anchorMembers(anchor)
});
/** An entry's canonical line: `{"body":..,"kid":..,"link":..,"mac":..,"prev":..,"seq":..}`. */
const exportRowLine = ({ seq, body, kid, prev, mac, link }) => canonicalize({
	body,
	kid,
	link,
	mac,
	prev,
	seq
});
/** Anchors and witnessed heads stand in this order: by seq, kind, note (both by UTF-16 code units), none twice. */
function compareAnchors(left, right) {
	return left.seq - right.seq || byCodeUnits(left.kind, right.kind) || byCodeUnits(left.note, right.note);
}
const byCodeUnits = (left, right) => left < right ? -1 : left > right ? 1 : 0;
/**
* The trailer's digest: SHA-256 over lines, each with its LF, in the order of the file: the header, the anchors and
* witnessed heads, and every row that is not sealed. It covers what no link covers.
*/
var ExportDigest = class {
	#hash = createHash("sha256");
	/** Adds a canonical line, given without its LF. */
	add(line) {
		this.#hash.update(`${line}\n`, "utf8");
	}
	/** As {@link add}, for a line in bytes. */
	addBytes(line) {
		this.#hash.update(line).update("\n");
	}
	/** 64 hex digits; the digest takes nothing more after that. */
	hex() {
		return this.#hash.digest("hex");
	}
};
const TOO_MANY_ANCHORS = `an export has at most 10000 anchors and as many witnessed heads`;
const TENANT_ID = /^tnt_[0-9a-z]{1,64}$/;
const EXPORTED_AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const HEADER_NAMES = [
	"format",
	"version",
	"tenant_id",
	"exported_at",
	"sealing",
	"head",
	"counts",
	"origin",
	"log_key",
	"self_witnesses"
];
const ANCHOR_NAMES = [
	"seq",
	"hash",
	"size",
	"note"
];
const ROW_NAMES = [
	"body",
	"kid",
	"link",
	"mac",
	"prev",
	"seq"
];
const TRAILER_NAMES = [
	"head",
	"counts",
	"digest"
];
/** Reads one line. Refused: what is no strict JSON, unknown kinds, missing and unknown members, wrong types and forms. */
function parseExportLine(text) {
	const json = parseStrictJson(text);
	if (!json.ok) return err(`${json.error.message} at character ${json.error.offset + 1}`);
	if (!isMembers(json.value)) return err("a line is a JSON object");
	const { kind = "row", ...members } = json.value;
	const line = "kind" in json.value && kind === "row" ? null : lineOf(kind, members);
	return line === null ? err("it is no header, anchor, witnessed head, entry or trailer of an export") : ok(line);
}
function lineOf(kind, members) {
	switch (kind) {
		case "header": {
			const header = readHeader(members);
			return header && {
				kind,
				header
			};
		}
		case "anchor":
		case "witnessed_head": {
			const anchor = readAnchor(kind, members);
			return anchor && {
				kind: "anchor",
				anchor
			};
		}
		case "row": {
			const row = readRow(members);
			return row && {
				kind,
				row
			};
		}
		case "trailer": {
			const trailer = readTrailer(members);
			return trailer && {
				kind,
				trailer
			};
		}
		default: return null;
	}
}
/** Whether a text is one whole JSON value with the kind of a header: then the file is read line by line. */
function isHeaderLine(text) {
	const json = parseStrictJson(text);
	return json.ok && isMembers(json.value) && json.value["kind"] === "header";
}
/** Reads the single JSON document, all of it. Refused: as {@link parseExportLine}, arrays out of their order, and more than {@link ANCHORS_MAX} anchors or witnessed heads. */
function parseExportDocument(text) {
	const json = parseStrictJson(text);
	if (!json.ok) return err(`${json.error.message} at character ${json.error.offset + 1}`);
	const names = [
		...HEADER_NAMES,
		"anchors",
		"witnessed_heads",
		"rows",
		"trailer"
	];
	if (!isMembers(json.value) || !hasExactly(json.value, names)) return err("the document has not the members of an export");
	const { anchors, witnessed_heads: heads, rows, trailer, ...rest } = json.value;
	if ([anchors, heads].some((list) => Array.isArray(list) && list.length > 1e4)) return err(TOO_MANY_ANCHORS);
	const read = {
		header: readHeader(rest),
		anchors: readAll(anchors, (value) => readAnchor("anchor", value)),
		heads: readAll(heads, (value) => readAnchor("witnessed_head", value)),
		rows: readAll(rows, readRow),
		trailer: readTrailer(trailer)
	};
	if (read.header === null) return err("the members of the header are not those of an export");
	if (read.anchors === null || read.heads === null) return err("an anchor or witnessed head is not one of an export");
	if (!areOrdered(read.anchors) || !areOrdered(read.heads)) return err("anchors and witnessed heads stand in the order of seq and note");
	if (read.rows === null) return err("a row is not one of an export");
	if (read.trailer === null) return err("the trailer is not one of an export");
	return ok({
		header: read.header,
		anchors: [...read.anchors, ...read.heads].sort(compareAnchors),
		rows: read.rows,
		trailer: read.trailer
	});
}
const areOrdered = (anchors) => anchors.every((anchor, index) => {
	const before = anchors[index - 1];
	return before === void 0 || compareAnchors(before, anchor) <= 0;
});
function readHeader(value) {
	if (!isMembers(value) || !hasExactly(value, HEADER_NAMES)) return null;
	const { tenant_id: tenantId, exported_at: exportedAt, origin, log_key: logKey } = value;
	const { self_witnesses: selfWitnesses } = value;
	if (value["format"] !== "oacp-commerce-ledger" || value["version"] !== 1) return null;
	if (typeof tenantId !== "string" || !TENANT_ID.test(tenantId)) return null;
	if (typeof exportedAt !== "string" || !EXPORTED_AT.test(exportedAt)) return null;
	const sealing = readSealing(value["sealing"]);
	const head = readHead(value["head"]);
	const counts = readCounts(value["counts"]);
	if (sealing === null || head === null || counts === null) return null;
	if (!isTextOrNull(origin) || !isTextOrNull(logKey) || !areTexts(selfWitnesses)) return null;
	return {
		tenantId,
		exportedAt,
		sealing,
		head,
		counts,
		origin,
		logKey,
		selfWitnesses
	};
}
function readSealing(value) {
	if (!isMembers(value) || !hasExactly(value, [
		"enabled",
		"since_seq",
		"kids"
	])) return null;
	const { enabled, since_seq: sinceSeq, kids } = value;
	if (typeof enabled !== "boolean" || !areTexts(kids)) return null;
	return sinceSeq === null || isWhole(sinceSeq) ? {
		enabled,
		sinceSeq,
		kids
	} : null;
}
function readHead(value) {
	if (!isMembers(value) || !hasExactly(value, ["seq", "hash"])) return null;
	const { seq, hash } = value;
	return isWhole(seq) && isTextOrNull(hash) ? {
		seq,
		hash
	} : null;
}
function readCounts(value) {
	if (!isMembers(value) || !hasExactly(value, ["sealed", "unsealed"])) return null;
	const { sealed, unsealed } = value;
	return isWhole(sealed) && isWhole(unsealed) ? {
		sealed,
		unsealed
	} : null;
}
function readAnchor(kind, value) {
	if (!isMembers(value) || !hasExactly(value, ANCHOR_NAMES)) return null;
	const { seq, hash, size, note } = value;
	if (!isWhole(seq) || !isWhole(size) || typeof hash !== "string" || typeof note !== "string") return null;
	const signedNote = parseNote(note);
	const checkpoint = signedNote.ok ? parseCheckpoint(signedNote.value.text) : signedNote;
	return signedNote.ok && checkpoint.ok ? {
		kind,
		seq,
		hash,
		size,
		note,
		signedNote: signedNote.value,
		checkpoint: checkpoint.value
	} : null;
}
function readRow(value) {
	if (!isMembers(value) || !hasExactly(value, ROW_NAMES)) return null;
	const { seq, body, kid, prev, mac, link } = value;
	if (!isWhole(seq) || typeof body !== "string") return null;
	if (!isTextOrNull(kid) || !isTextOrNull(prev) || !isTextOrNull(mac) || !isTextOrNull(link)) return null;
	return {
		seq,
		body,
		kid,
		prev,
		mac,
		link
	};
}
function readTrailer(value) {
	if (!isMembers(value) || !hasExactly(value, TRAILER_NAMES)) return null;
	const head = readHead(value["head"]);
	const counts = readCounts(value["counts"]);
	const { digest } = value;
	return head !== null && counts !== null && typeof digest === "string" ? {
		head,
		counts,
		digest
	} : null;
}
function readAll(value, read) {
	if (!Array.isArray(value)) return null;
	const all = [];
	for (const one of value) {
		const item = read(one);
		if (item === null) return null;
		all.push(item);
	}
	return all;
}
const isMembers = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const hasExactly = (members, names) => Object.keys(members).length === names.length && names.every((name) => Object.hasOwn(members, name));
const isWhole = (value) => Number.isSafeInteger(value) && value >= 0;
const isTextOrNull = (value) => value === null || typeof value === "string";
const areTexts = (value) => Array.isArray(value) && value.every((item) => typeof item === "string");
// src/core/chain/row-bytes.ts
const QUOTE = 34;
const BACKSLASH = 92;
const LINE_FEED$2 = 10;
const DIGIT_0 = 48;
const DIGEST_CHARACTERS = 64;
/** Room in front of the body: the longest `arbiter-link/1`, tenant, seq, kid, prev and mac with their line feeds. */
const BODY_BEGIN = 512;
const MAC_BEGIN = 447;
const PREV_BEGIN = 382;
/** Where the digits of the last link read are kept: mostly they are the prev of the next row. */
const LINK_BEGIN = 0;
/** Copies by words may write so many bytes behind a body. */
const WORD_ROOM = 16;
/** The top bits of all bytes of a word but the first. */
const BEHIND_FIRST = 2155905024;
const HEX_DIGITS = Buffer.from("0123456789abcdef", "latin1");
function ascii(text) {
	return Buffer.from(text, "latin1");
}
const LINE_START = words("{\"body\":\"");
const KID = words("\",\"kid\":\"");
const LINK = words("\",\"link\":\"");
const MAC = words("\",\"mac\":\"");
const PREV = words("\",\"prev\":\"");
const SEQ = words("\",\"seq\":");
const UNSEALED = ascii("\",\"kid\":null,\"link\":null,\"mac\":null,\"prev\":null,\"seq\":");
/** Whether both bytes of a 16-bit word are lowercase hex digits. */
const IS_HEX_PAIR = /* @__PURE__ */ new Uint8Array(65536);
for (const first of HEX_DIGITS) for (const second of HEX_DIGITS) IS_HEX_PAIR[first * 256 + second] = 1;
const IS_KEY_ID = Uint8Array.from({ length: 256 }, (_, byte) => isKeyId(String.fromCharCode(byte)) ? 1 : 0);
/**
* One row, laid out so that all that its link hashes stands in one piece: constants, tenant, seq, kid, prev, mac, body.
* Reused from row to row: nothing here is kept by who reads it.
*/
var RowBytes = class {
	seq = 0;
	form = "malformed";
	/** False = some byte of the body is none of ASCII. */
	isAscii = true;
	kid = "";
	/** As they stand in the row; null where it says so. */
	prev = null;
	link = null;
	bodyEnd = BODY_BEGIN;
	bodyBegin = BODY_BEGIN;
	/** Behind the body stands a zero byte. */
	bytes = Buffer.alloc(65536);
	#linkPrefix;
	#macPrefix;
	/** What the constant part in front of prev was written for last. */
	#writtenSeqDigits = 0;
	#writtenKid = "";
	#writtenBegin = 0;
	/** Views of what links hash, by the end of the body: making one takes as long as a small hash. */
	#inputs = [];
	#source = new DataView(this.bytes.buffer);
	#target = new DataView(this.bytes.buffer);
	constructor(tenantId) {
		this.#linkPrefix = Buffer.from(`arbiter-link/1\n${tenantId}\n`, "utf8");
		this.#macPrefix = `arbiter-mac/1\n${tenantId}\n`;
	}
	/**
	* Takes over a line (without LF) that is a row exactly as `exportRowLine` writes it, whose body needs no escapes but
	* `\"` and `\\`. False = it is not, and may still be a row in another spelling. The caller has checked that the line
	* is UTF-8.
	*/
	readLine(line, begin, end) {
		if (this.#source.buffer !== line.buffer) this.#source = new DataView(line.buffer);
		const source = this.#source;
		const { byteOffset } = line;
		if (end - begin < LINE_START.length || !stands(LINE_START, source, byteOffset + begin)) return false;
		const seqBegin = this.#readSeq(line, end);
		if (seqBegin < 0) return false;
		const bodyBegin = begin + LINE_START.length;
		if (endsWith(line, seqBegin, UNSEALED)) {
			this.form = "unsealed";
			this.prev = null;
			this.link = null;
			return this.#readBody(line, bodyBegin, seqBegin - UNSEALED.length);
		}
		this.form = "sealed";
		const prevBegin = seqBegin - SEQ.length - DIGEST_CHARACTERS;
		const macBegin = prevBegin - PREV.length - DIGEST_CHARACTERS;
		const linkBegin = macBegin - MAC.length - DIGEST_CHARACTERS;
		const kidEnd = linkBegin - LINK.length;
		if (kidEnd < bodyBegin || !stands(SEQ, source, byteOffset + seqBegin - SEQ.length) || !stands(PREV, source, byteOffset + prevBegin - PREV.length) || !stands(MAC, source, byteOffset + macBegin - MAC.length) || !stands(LINK, source, byteOffset + linkBegin - LINK.length)) return false;
		const kidBegin = this.#readKid(line, kidEnd);
		if (kidBegin < bodyBegin + KID.length) return false;
		if (!stands(KID, source, byteOffset + kidBegin - KID.length)) return false;
		this.prev = this.#isLastLink(byteOffset + prevBegin) ? this.link : line.toString("latin1", prevBegin, prevBegin + DIGEST_CHARACTERS);
		this.link = line.toString("latin1", linkBegin, linkBegin + DIGEST_CHARACTERS);
		this.#copyDigits(byteOffset + prevBegin, PREV_BEGIN);
		this.#copyDigits(byteOffset + linkBegin, LINK_BEGIN);
		return this.#readMac(line, macBegin) && this.#readBody(line, bodyBegin, kidBegin - KID.length);
	}
	/** Takes over a row of any form. The body is well-formed Unicode. */
	readEntry({ seq, body, kid, prev, mac, link }) {
		this.seq = seq;
		this.prev = prev;
		this.link = link;
		this.#reserve(Buffer.byteLength(body, "utf8"));
		this.bodyEnd = BODY_BEGIN + this.bytes.write(body, BODY_BEGIN, "utf8");
		this.bytes[this.bodyEnd] = 0;
		const isSealed = kid !== null && prev !== null && mac !== null && link !== null && isKeyId(kid) && [
			prev,
			mac,
			link
		].every(isDigestHex);
		const isUnsealed = kid === null && prev === null && mac === null && link === null;
		this.form = isSealed ? "sealed" : isUnsealed ? "unsealed" : "malformed";
		if (!isSealed) return;
		this.kid = kid;
		this.bytes.write(prev, PREV_BEGIN, "latin1");
		this.bytes.write(mac, MAC_BEGIN, "latin1");
	}
	/** The mac's digits, in the row's own bytes. */
	get mac() {
		return this.bytes.subarray(MAC_BEGIN, 511);
	}
	get body() {
		return this.bytes.toString("utf8", BODY_BEGIN, this.bodyEnd);
	}
	/** All that the link of a sealed row hashes. */
	linkInput() {
		const seqDigits = digitsOf(this.seq);
		if (seqDigits !== this.#writtenSeqDigits || this.kid !== this.#writtenKid) this.#writeConstants(seqDigits);
		const { bytes } = this;
		const seqBegin = this.#writtenBegin + this.#linkPrefix.length;
		let rest = this.seq;
		for (let at = seqBegin + seqDigits - 1; at >= seqBegin; at -= 1) {
			const tens = Math.floor(rest / 10);
			bytes[at] = DIGIT_0 + rest - tens * 10;
			rest = tens;
		}
		return this.#inputs[this.bodyEnd] ??= bytes.subarray(this.#writtenBegin, this.bodyEnd);
	}
	/** All that the mac of a sealed row authenticates, in two pieces: up to prev, and the body. */
	macInput(prev) {
		return [`${this.#macPrefix}${this.seq}\n${this.kid}\n${prev}\n`, this.bytes.subarray(BODY_BEGIN, this.bodyEnd)];
	}
	/** What stays from row to row: the prefix, the kid and the line feeds. */
	#writeConstants(seqDigits) {
		const { bytes, kid } = this;
		const kidBegin = 381 - kid.length;
		this.#writtenBegin = kidBegin - 1 - seqDigits - this.#linkPrefix.length;
		this.#linkPrefix.copy(bytes, this.#writtenBegin);
		bytes.write(kid, kidBegin, "latin1");
		for (const begin of [
			kidBegin,
			PREV_BEGIN,
			MAC_BEGIN,
			BODY_BEGIN
		]) bytes[begin - 1] = LINE_FEED$2;
		this.#writtenSeqDigits = seqDigits;
		this.#inputs = [];
		this.#writtenKid = kid;
	}
	/** Reads the digits in front of the closing brace; says where they begin, or -1. */
	#readSeq(line, end) {
		let at = end - 1;
		if (line[at] !== 125) return -1;
		let value = 0;
		let unit = 1;
		for (at -= 1; at >= 0 && unit < 0x2386f26fc10000; at -= 1, unit *= 10) {
			const digit = (line[at] ?? 0) - DIGIT_0;
			if (digit < 0 || digit > 9) break;
			value += digit * unit;
		}
		const begin = at + 1;
		const hasLeadingZero = line[begin] === DIGIT_0 && unit > 10;
		if (unit === 1 || hasLeadingZero || unit >= 0x2386f26fc10000) return -1;
		this.seq = value;
		return begin;
	}
	/** Reads the kid that ends here; says where it begins, or -1. */
	#readKid(line, end) {
		let begin = end;
		while (begin > end - 64 && IS_KEY_ID[line[begin - 1] ?? 0] === 1) begin -= 1;
		if (begin === end) return -1;
		const known = this.kid;
		let index = known.length === end - begin ? 0 : -1;
		while (index >= 0 && index < known.length) index = known.charCodeAt(index) === line[begin + index] ? index + 1 : -1;
		if (index < 0) this.kid = line.toString("latin1", begin, end);
		return begin;
	}
	/** Copies a mac; false = it is not 64 lowercase hex digits. */
	#readMac(line, begin) {
		const source = this.#source;
		const target = this.#target;
		const from = line.byteOffset + begin;
		let isHex = 1;
		for (let index = 0; index < DIGEST_CHARACTERS; index += 4) {
			const word = source.getUint32(from + index);
			isHex &= (IS_HEX_PAIR[word >>> 16] ?? 0) & (IS_HEX_PAIR[word & 65535] ?? 0);
			target.setUint32(MAC_BEGIN + index, word);
		}
		return isHex === 1;
	}
	#isLastLink(from) {
		const source = this.#source;
		const target = this.#target;
		let difference = 0;
		for (let index = 0; index < DIGEST_CHARACTERS; index += 4) difference |= source.getUint32(from + index) ^ target.getUint32(LINK_BEGIN + index);
		return difference === 0;
	}
	#copyDigits(from, to) {
		const source = this.#source;
		const target = this.#target;
		for (let index = 0; index < DIGEST_CHARACTERS; index += 4) target.setUint32(to + index, source.getUint32(from + index));
	}
	/**
	* Copies a body out of its JSON string: four bytes at once while all of them stand for themselves. What stands behind
	* the body in a line ends the loop: it starts with a quote.
	*/
	#readBody(line, begin, end) {
		if (end < begin) return false;
		this.#reserve(end - begin);
		const source = this.#source;
		const target = this.#target;
		const sourceOffset = line.byteOffset;
		let to = BODY_BEGIN;
		let at = begin;
		let seen = 0;
		let word = source.getUint32(sourceOffset + at, true);
		let stops = stopsIn(word);
		for (;;) {
			target.setUint32(to, word, true);
			if (stops === 0) {
				at += 4;
				to += 4;
				word = source.getUint32(sourceOffset + at, true);
				stops = stopsIn(word);
				continue;
			}
			const plain = 31 - Math.clz32(stops & -stops) >> 3;
			at += plain;
			to += plain;
			const byte = word >>> 8 * plain & 255;
			if (byte === BACKSLASH) {
				at += 1;
				word = source.getUint32(sourceOffset + at, true);
				const escaped = word & 255;
				if (escaped !== QUOTE && escaped !== BACKSLASH) return false;
				stops = stopsIn(word) & BEHIND_FIRST;
				continue;
			}
			if (at >= end) break;
			if (byte <= QUOTE && byte !== 32 && byte !== 33) return false;
			seen |= byte;
			word = source.getUint32(sourceOffset + at, true);
			stops = stopsIn(word) & BEHIND_FIRST;
		}
		this.isAscii = seen < 128;
		this.bytes[to] = 0;
		this.bodyEnd = to;
		return at === end;
	}
	#reserve(bodyBytes) {
		const needed = BODY_BEGIN + bodyBytes + WORD_ROOM;
		if (needed <= this.bytes.length) return;
		const larger = Buffer.alloc(needed * 2);
		this.bytes.copy(larger, 0, 0, BODY_BEGIN);
		this.bytes = larger;
		this.#target = new DataView(larger.buffer, larger.byteOffset);
		this.#inputs = [];
	}
};
/**
* The top bit of the lowest of four bytes that is below `#` or from 0x80 on or a backslash, and maybe of some above it;
* 0 = there is none.
*/
const stopsIn = (word) => ((word ^ 1549556828) - 16843009 | word - 589505315 | word) & 2155905152;
function words(text) {
	const bytes = ascii(text);
	return {
		length: bytes.length,
		first: bytes.readUInt32BE(0),
		second: bytes.readUInt32BE(4),
		last: bytes.readUInt32BE(bytes.length - 4)
	};
}
const stands = ({ length, first, second, last }, source, at) => source.getUint32(at) === first && source.getUint32(at + 4) === second && source.getUint32(at + length - 4) === last;
function endsWith(line, end, text) {
	if (end < text.length) return false;
	for (let index = 0, at = end - text.length; index < text.length; index += 1, at += 1) if (line[at] !== text[index]) return false;
	return true;
}
/** Decimal digits of a whole number. */
function digitsOf(value) {
	let digits = 1;
	for (let limit = 10; value >= limit; limit *= 10) digits += 1;
	return digits;
}
// src/core/chain/row-judge.ts
const FIRST_PLACE = {
	nextSeq: 0,
	lastLink: GENESIS_PREV,
	sealing: false,
	sinceSeq: null
};
/** Judges rows one after the other, each against what it computed itself from those before; stops at the first break. */
var RowJudge = class {
	context;
	events;
	nextSeq;
	lastLink;
	sealing;
	sinceSeq;
	sealedCount = 0;
	unsealedCount = 0;
	/** Sealed rows whose mac was not checked, for want of the key. */
	uncheckedCount = 0;
	hasExpectedLink = false;
	kidsSeen = /* @__PURE__ */ new Set();
	uncheckedKids = /* @__PURE__ */ new Set();
	/** Every link accepted so far is a leaf of it. */
	tree = new TreeBuilder();
	#row;
	#form = new EntryForm();
	#listedKids;
	#stopIndex = 0;
	constructor(context, events, place = FIRST_PLACE) {
		this.context = context;
		this.events = events;
		this.#row = new RowBytes(context.tenantId);
		this.#listedKids = new Set(context.kids);
		this.nextSeq = place.nextSeq;
		this.lastLink = place.lastLink;
		this.sealing = place.sealing;
		this.sinceSeq = place.sinceSeq;
		this.passStops();
	}
	/** Leaves out the stops in front of the next row. */
	passStops() {
		while (this.#nextStop() < this.nextSeq) this.#stopIndex += 1;
	}
	/**
	* Judges a line (without LF) that is a row in the form it is written in. False = not accepted so, and nothing has
	* changed: whether it is a row in another spelling, a break or no row at all is for who parses it and hands a row to
	* {@link judgeEntry}.
	*/
	acceptLine(line, begin, end) {
		const row = this.#row;
		if (!row.readLine(line, begin, end)) return false;
		if (!row.isAscii && decodeUtf8(line.subarray(begin, end)) === null) return false;
		return this.#judge(() => line.subarray(begin, end)) === null;
	}
	/** Judges a row whose text is well-formed Unicode. */
	judgeEntry(entry) {
		this.#row.readEntry(entry);
		return this.#judge(() => Buffer.from(exportRowLine(entry), "utf8"));
	}
	#judge(canonicalLine) {
		const { seq } = this.#row;
		const code = this.#breakOf(canonicalLine);
		if (code !== null) return {
			code,
			seq
		};
		this.nextSeq = seq + 1;
		if (seq === this.#nextStop()) {
			this.#stopIndex += 1;
			this.events.onStop(seq, this.#row.form === "sealed" ? this.lastLink : null);
		}
		return null;
	}
	#breakOf(canonicalLine) {
		const row = this.#row;
		const { seq } = row;
		if (seq > this.context.headSeq) return "extra_rows";
		if (seq !== this.nextSeq) return seq > this.nextSeq ? "sequence_gap" : "sequence_duplicate";
		this.#form.read({
			bytes: row.bytes,
			begin: row.bodyBegin,
			end: row.bodyEnd,
			seq
		});
		const sealing = this.#form.declaredSealing ?? this.sealing;
		const code = this.sealing || sealing ? this.#acceptSealed() : this.#acceptUnsealed(canonicalLine);
		if (code !== null) return code;
		if (sealing !== this.sealing) this.sinceSeq = sealing ? seq : null;
		this.sealing = sealing;
		return null;
	}
	#acceptUnsealed(canonicalLine) {
		if (this.#row.form !== "unsealed") return "link_hash";
		if (!this.#form.isEntry) return "canonical_form";
		this.events.onUnsealed(canonicalLine());
		this.unsealedCount += 1;
		return null;
	}
	#acceptSealed() {
		const row = this.#row;
		if (row.prev !== this.lastLink) return "previous_link";
		if (row.form !== "sealed") return "link_hash";
		const link = hash("sha256", row.linkInput(), "hex");
		if (link !== row.link) return "link_hash";
		if (!this.#form.isEntry) return "canonical_form";
		if (!this.#listedKids.has(row.kid)) return "key_unknown";
		const key = this.context.keys.get(row.kid);
		if (key === void 0) {
			this.uncheckedCount += 1;
			this.uncheckedKids.add(row.kid);
		} else if (!this.#isMacOf(key)) return "signature";
		this.kidsSeen.add(row.kid);
		this.lastLink = link;
		this.hasExpectedLink ||= link === this.context.expectedLink;
		this.sealedCount += 1;
		this.tree.pushLink(link);
		return null;
	}
	#isMacOf(key) {
		const [place, body] = this.#row.macInput(this.lastLink);
		const mac = createHmac("sha256", key).update(place).update(body).digest("hex");
		return timingSafeEqual(Buffer.from(mac, "latin1"), this.#row.mac);
	}
	#nextStop() {
		return this.context.stops[this.#stopIndex] ?? Infinity;
	}
};
// src/core/chain/row-run.ts
const SEQ_AT_END = /"prev":"([0-9a-f]{64})","seq":(0|[1-9][0-9]{0,14})\}$/;
/** The place of a sealed row, read from the end of its line; null = it has another form. */
function runStartOf(line, begin, end) {
	const tail = line.toString("latin1", Math.max(begin, end - 128), end);
	const [, prev, seq] = SEQ_AT_END.exec(tail) ?? [];
	return prev === void 0 || seq === void 0 ? null : {
		seq: Number(seq),
		prev
	};
}
/**
* Judges rows that stand somewhere in the file, on the word of the first about the rows before it. `lines` gives each
* line to the function it is called with, until that says no. `firstLeaf` is a guess: how many sealed rows stand before.
* Null = something in them can only be judged where they stand: an unsealed row, another line, a break.
*/
function judgeRun(context, { seq, prev, firstLeaf }, lines) {
	if (prev === GENESIS_PREV || !Number.isSafeInteger(firstLeaf) || firstLeaf < 0) return null;
	const start = {
		nextSeq: seq,
		lastLink: prev,
		sealing: true,
		sinceSeq: null
	};
	const parts = [];
	let isOdd = false;
	let leavesBefore = 0;
	const cut = (stop) => {
		const leafCount = judge.sealedCount - leavesBefore;
		parts.push({
			subtrees: judge.tree.subtrees(),
			leafCount,
			stop
		});
		leavesBefore = judge.sealedCount;
		judge.tree = TreeBuilder.from(firstLeaf + leavesBefore);
	};
	const judge = new RowJudge(context, {
		onUnsealed: () => isOdd = true,
		onStop: (stopSeq, link) => cut({
			seq: stopSeq,
			link
		})
	}, start);
	judge.tree = TreeBuilder.from(firstLeaf);
	lines((line, begin, end) => {
		isOdd ||= !judge.acceptLine(line, begin, end);
		return !isOdd;
	});
	if (isOdd || !judge.sealing || judge.sinceSeq !== null) return null;
	cut(null);
	return {
		start,
		end: {
			nextSeq: judge.nextSeq,
			lastLink: judge.lastLink,
			sealing: true,
			sinceSeq: null
		},
		firstLeaf,
		rowCount: judge.sealedCount,
		uncheckedCount: judge.uncheckedCount,
		hasExpectedLink: judge.hasExpectedLink,
		kidsSeen: [...judge.kidsSeen],
		uncheckedKids: [...judge.uncheckedKids],
		parts
	};
}
/**
* Takes over a run that was judged alone, when it starts exactly where the rows judged here end: then it would have been
* accepted here as well, row by row. False = it does not, and nothing was taken.
*/
function takeRun(judge, run, onStop) {
	const { start, end } = run;
	if (!(judge.sealing && judge.nextSeq === start.nextSeq && judge.lastLink === start.lastLink && judge.sealedCount === run.firstLeaf)) return false;
	judge.nextSeq = end.nextSeq;
	judge.lastLink = end.lastLink;
	judge.uncheckedCount += run.uncheckedCount;
	judge.hasExpectedLink ||= run.hasExpectedLink;
	for (const kid of run.kidsSeen) judge.kidsSeen.add(kid);
	for (const kid of run.uncheckedKids) judge.uncheckedKids.add(kid);
	for (const part of run.parts) {
		for (const subtree of part.subtrees) judge.tree.pushSubtree(subtree);
		judge.sealedCount += part.leafCount;
		if (part.stop !== null) onStop(part.stop.seq, part.stop.link);
	}
	judge.passStops();
	return true;
}
// src/core/chain/export-verifier.ts
/** Longest line of an export, in bytes without its LF. */
const LINE_BYTES_MAX = 16777216;
/** Longest single JSON document, in bytes. */
const DOCUMENT_BYTES_MAX = 268435456;
/**
* Judges an export line by line, in flat memory. The answer is a function of the file and the options.
*
* Each row, in this order: `extra_rows`, `sequence_gap` or `sequence_duplicate`, `previous_link`, `link_hash`,
* `canonical_form`, `key_unknown`, `signature`. At the end {@link judgeEnd}. The first break is told; a line that is not
* readable ends the judgement, unless a break was found before it.
*/
var ExportVerifier = class {
	options;
	#digest = new ExportDigest();
	#anchors = [];
	#anchorCounts = {
		anchor: 0,
		witnessed_head: 0
	};
	#stops = /* @__PURE__ */ new Map();
	#header = null;
	#rows = null;
	#trailer = null;
	#answer = null;
	#lineCount = 0;
	constructor(options) {
		this.options = options;
	}
	/** Judges a line, given without its LF. False = the answer is known, nothing more is read. */
	line(bytes, begin, end) {
		if (this.#answer !== null) return false;
		this.#lineCount += 1;
		if (end - begin > 16777216) return this.#unreadable("a line has at most 16 MiB");
		if (this.#rows !== null && this.#trailer === null) {
			if (this.#rows.judge.acceptLine(bytes, begin, end)) return true;
		}
		const text = decodeUtf8(bytes.subarray(begin, end));
		if (text === null) return this.#unreadable("it is not UTF-8");
		const line = parseExportLine(text);
		return line.ok ? this.#take(line.value) : this.#unreadable(line.error);
	}
	/** What has to be known to judge rows elsewhere ({@link judgeRun}); null before the first row. */
	get rowContext() {
		return this.#trailer === null && this.#answer === null ? this.#rows?.context ?? null : null;
	}
	/** How many unsealed rows the header tells of. */
	get unsealedCount() {
		return this.#header?.counts.unsealed ?? 0;
	}
	/**
	* Takes over rows that were judged elsewhere, if they follow on those judged so far. False = they do not, or something
	* in them is for this verifier to judge: then their lines have to be given to {@link line}.
	*/
	takeRun(run) {
		if (this.#rows === null || this.#trailer !== null) return false;
		const { judge } = this.#rows;
		if (!takeRun(judge, run, (seq, link) => this.#stopAt(seq, link))) return false;
		this.#lineCount += run.rowCount;
		return true;
	}
	/** The end of the file. */
	end() {
		if (this.#answer !== null) return this.#answer;
		if (this.#rows === null && !this.#openRows()) return this.#answer ?? {
			result: "unreadable",
			message: "it is empty"
		};
		return this.#ended();
	}
	/** Judges a file that is a single JSON document. */
	document(bytes) {
		if (bytes.length > 268435456) return {
			result: "unreadable",
			message: "a document has at most 256 MiB"
		};
		const text = decodeUtf8(bytes);
		if (text === null) return {
			result: "unreadable",
			message: "it is not UTF-8"
		};
		const read = parseExportDocument(text);
		if (!read.ok) return {
			result: "unreadable",
			message: read.error
		};
		const { header, anchors, rows, trailer } = read.value;
		this.#header = header;
		this.#anchors.push(...anchors);
		if (this.#openRows()) {
			for (const row of rows) if (this.#answer === null) this.#judged(this.#rows?.judge.judgeEntry(row) ?? null);
		}
		this.#trailer = trailer;
		return this.end();
	}
	#take(line) {
		if (this.#trailer !== null) return this.#unreadable("nothing stands behind the trailer");
		if (this.#header === null) {
			if (line.kind !== "header") return this.#unreadable("the first line is the header");
			this.#header = line.header;
			return true;
		}
		switch (line.kind) {
			case "header": return this.#unreadable("there is one header");
			case "anchor": return this.#takeAnchor(line.anchor);
			case "row":
				if (this.#rows === null && !this.#openRows()) return false;
				return this.#judged(this.#rows?.judge.judgeEntry(line.row) ?? null);
			case "trailer":
				if (this.#rows === null && !this.#openRows()) return false;
				this.#trailer = line.trailer;
				return true;
		}
	}
	#takeAnchor(anchor) {
		const before = this.#anchors.at(-1);
		if (this.#rows !== null) return this.#unreadable("anchors and witnessed heads stand before the rows");
		if (before !== void 0 && compareAnchors(before, anchor) > 0) return this.#unreadable("anchors and witnessed heads stand in the order of seq, kind and note");
		this.#anchorCounts[anchor.kind] += 1;
		if (this.#anchorCounts[anchor.kind] > 1e4) return this.#unreadable(TOO_MANY_ANCHORS);
		this.#anchors.push(anchor);
		return true;
	}
	/** The header and the anchors are known: what they say is digested, and rows may come. */
	#openRows() {
		const header = this.#header;
		if (header === null) return false;
		const keys = keysFor(this.options.secrets, header.sealing.kids);
		if (!keys.ok) {
			this.#answer = {
				result: "unusable",
				message: keys.error
			};
			return false;
		}
		this.#digest.add(exportHeaderLine(header));
		for (const anchor of this.#anchors) this.#digest.add(exportAnchorLine(anchor));
		const { expectedHead } = this.options;
		const stops = new Set(this.#anchors.map(({ seq }) => seq));
		if (expectedHead?.seq !== null && expectedHead !== null) stops.add(expectedHead.seq);
		const context = {
			tenantId: header.tenantId,
			headSeq: header.head.seq,
			kids: header.sealing.kids,
			keys: keys.value,
			stops: [...stops].sort((left, right) => left - right),
			expectedLink: expectedHead?.seq === null ? expectedHead.hash : null
		};
		const judge = new RowJudge(context, {
			onUnsealed: (line) => this.#digest.addBytes(line),
			onStop: (seq, link) => this.#stopAt(seq, link)
		});
		this.#rows = {
			header,
			context,
			judge
		};
		return true;
	}
	#stopAt(seq, link) {
		if (this.#rows === null) return;
		const { tree, sealedCount } = this.#rows.judge;
		this.#stops.set(seq, {
			link,
			size: sealedCount,
			root: tree.root()
		});
	}
	#judged(found) {
		if (found === null) return true;
		this.#answer = this.#judgedAnswer({
			found,
			witnesses: []
		});
		return false;
	}
	#unreadable(message) {
		const place = this.#lineCount === 0 ? "" : `line ${this.#lineCount}: `;
		this.#answer = {
			result: "unreadable",
			message: `${place}${message}`
		};
		return false;
	}
	#ended() {
		const state = this.#endState();
		this.#answer = state === null ? {
			result: "unreadable",
			message: "it has no header"
		} : this.#judgedAnswer(judgeEnd(state));
		return this.#answer;
	}
	#endState() {
		if (this.#rows === null) return null;
		const { header, judge } = this.#rows;
		return {
			header,
			anchors: this.#anchors,
			trailer: this.#trailer,
			options: this.options,
			lastSeq: judge.nextSeq - 1,
			lastLink: judge.sealedCount === 0 ? null : judge.lastLink,
			sealing: judge.sealing,
			sinceSeq: judge.sinceSeq,
			sealedCount: judge.sealedCount,
			unsealedCount: judge.unsealedCount,
			uncheckedCount: judge.uncheckedCount,
			kidsSeen: judge.kidsSeen,
			hasExpectedLink: judge.hasExpectedLink,
			stops: this.#stops,
			digest: this.#digest.hex()
		};
	}
	#judgedAnswer({ found, witnesses }) {
		const judge = this.#rows?.judge;
		const { sealedCount = 0, unsealedCount = 0, uncheckedCount = 0, nextSeq = 0 } = judge ?? {};
		const { witnessKeys, witnessQuorum } = this.options;
		const isSkipped = this.options.secrets === null;
		const self = new Set(this.#header?.selfWitnesses);
		return {
			result: found === null ? "verified" : "broken",
			found,
			origin: this.#header?.origin ?? null,
			isLogUnchecked: this.options.witnessKeys?.every(({ kind }) => kind !== "ed25519") ?? false,
			sealedCount,
			unsealedCount,
			head: judge === void 0 || nextSeq === 0 ? null : {
				seq: nextSeq - 1,
				hash: sealedCount === 0 ? null : judge.lastLink
			},
			tree: judge === void 0 || sealedCount === 0 ? null : {
				size: sealedCount,
				rootHex: Buffer.from(judge.tree.root()).toString("hex")
			},
			signatures: isSkipped ? "skipped" : uncheckedCount > 0 ? "unverifiable" : "verified",
			unverifiable: {
				rowCount: isSkipped ? 0 : uncheckedCount,
				kids: isSkipped ? [] : [...judge?.uncheckedKids ?? []].sort()
			},
			witnesses: witnesses.map(({ name }) => ({
				name,
				self: self.has(name)
			})),
			unwitnessedSinceSeq: this.#unwitnessedSince(nextSeq - 1),
			uncheckedKids: [...judge?.uncheckedKids ?? []].sort(),
			quorum: {
				...quorumOf(witnessKeys ?? [], witnesses),
				asked: witnessQuorum
			}
		};
	}
	#unwitnessedSince(lastSeq) {
		const newest = newestWitnessed(this.#anchors);
		if (newest === void 0) return 0;
		return newest.seq + 1 <= lastSeq ? newest.seq + 1 : null;
	}
};
// src/core/chain/verifier-answer.ts
const exitCodeOf = ({ result }) => result === "verified" ? 0 : result === "broken" ? 1 : 2;
const MEANINGS = {
	extra_rows: "there are entries behind the head that the file itself names",
	sequence_gap: "an entry before this one is missing",
	sequence_duplicate: "an entry stands a second time, or out of its place",
	previous_link: "the entry does not follow the one before it: one of the two was put there",
	link_hash: "the entry is not the one that was written: its text, place or seal was changed",
	canonical_form: "the entry is not in the form in which entries are written",
	key_unknown: "the entry is sealed with a key that the file does not list",
	signature: "the entry was not sealed with the secret you gave",
	truncated: "the file ends before the entries it speaks of",
	head_mismatch: "what the file says about its entries is not what stands in it",
	anchor_mismatch: "a signed checkpoint is not one of these entries",
	witness_mismatch: "witnesses saw other entries than these",
	digest_mismatch: "a part that no link covers was changed: the header or an entry without seal",
	expected_head_mismatch: "the head you were told is not in this history",
	checkpoint_signature: "the file is not of the log you gave a key of, or its key did not sign a checkpoint",
	witness_signature: "a witness you gave did not sign what stands under its name",
	cosignature_quorum: "the newest witnessed head carries too few of the witnesses you gave",
	not_sealed: "no entry is sealed, and you asked for a sealed ledger",
	signatures_unverifiable: "not every signature could be checked with the secrets you gave"
};
const COMPARE = "Export the ledger again and compare the two files before you conclude anything.";
/** What a break means, and what to do. Of two kinds nothing was found wrong with the file: something is missing to check it. */
function explained(answer) {
	const { found, uncheckedKids, quorum } = answer;
	if (found === null) return {
		meaning: "",
		advice: ""
	};
	const meaning = MEANINGS[found.code];
	if (found.code === "signatures_unverifiable") return {
		meaning: `${meaning}: none was given for ${uncheckedKids.map(visible).join(", ")}`,
		advice: "Ask for these auditor's keys, and give them with --hmac-secret-file."
	};
	if (found.code !== "cosignature_quorum") return {
		meaning,
		advice: COMPARE
	};
	const { asked, given, signed, missing } = quorum;
	return {
		meaning: `${meaning}: ${signed} of ${given} keys given, ${asked} asked for; missing: ${missing.length === 0 ? "none" : missing.map(visible).join(", ")}`,
		advice: given === 0 ? "Give keys of witnesses with --witness-keys." : "Ask why the missing witnesses did not cosign it: they may be away, or a later head has them."
	};
}
/** One JSON line, without LF. */
function answerJson(answer) {
	const judged = isJudged(answer) ? answer : null;
	return canonicalize({
		result: judged?.result ?? "unreadable",
		break: judged?.found?.code ?? null,
		seq: judged?.found?.seq ?? null,
		origin: judged?.origin ?? null,
		entries: (judged?.sealedCount ?? 0) + (judged?.unsealedCount ?? 0),
		sealed: judged?.sealedCount ?? 0,
		unsealed: judged?.unsealedCount ?? 0,
		head: judged?.head ? {
			seq: judged.head.seq,
			hash: judged.head.hash
		} : null,
		tree: judged?.tree ? {
			size: judged.tree.size,
			root: judged.tree.rootHex
		} : null,
		signatures: judged?.signatures ?? "skipped",
		unverifiable: {
			rows: judged?.unverifiable.rowCount ?? 0,
			kids: judged?.unverifiable.kids ?? []
		},
		witnesses: (judged?.witnesses ?? []).map(({ name, self }) => ({
			name,
			self
		})),
		unwitnessed_since_seq: judged?.unwitnessedSinceSeq ?? null,
		message: isJudged(answer) ? headline(answer) : answer.message
	});
}
const isJudged = (answer) => answer.result === "verified" || answer.result === "broken";
/** The same for people, without the last LF. `used` names the options that were used. */
function answerText(answer, used) {
	if (answer.result === "unreadable") return `not a readable export: ${answer.message}`;
	if (answer.result === "unusable") return answer.message;
	if (answer.found !== null) {
		const { code, seq } = answer.found;
		const { meaning, advice } = explained(answer);
		return [
			`${code} at seq ${seq}`,
			`${meaning}. ${advice}`,
			...code === "checkpoint_signature" ? [logLine(answer)] : []
		].join("\n");
	}
	return [
		headline(answer),
		logLine(answer),
		...answer.sealedCount === 0 ? ["nothing is chained: no entry is sealed"] : [],
		...answer.head === null ? [] : [`head: seq ${answer.head.seq}, link ${answer.head.hash ?? "none"}`],
		...answer.tree === null ? [] : [`tree: ${answer.tree.size} leaves, root ${answer.tree.rootHex}`],
		signaturesLine(answer),
		...witnessLines(answer),
		`options used: ${used.length === 0 ? "none" : used.join(", ")}`
	].join("\n");
}
function headline(answer) {
	const { found, sealedCount, unsealedCount } = answer;
	if (found !== null) return `${found.code} at seq ${found.seq}: ${explained(answer).meaning}`;
	return `verified: ${sealedCount + unsealedCount} entries, ${sealedCount} sealed, ${unsealedCount} unsealed`;
}
const logLine = ({ origin }) => `log: ${origin === null ? "none" : visible(origin)}`;
/** A name out of a file: nothing in it may command a terminal. */
const visible = (name) => name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`);
function signaturesLine({ signatures, unverifiable }) {
	if (signatures !== "unverifiable") return `signatures: ${signatures === "verified" ? "verified" : "skipped (no secret file)"}`;
	return `signatures: unverifiable (${unverifiable.rowCount} rows, ${unverifiable.kids.join(", ")})`;
}
function witnessLines(answer) {
	const { witnesses, isLogUnchecked, unwitnessedSinceSeq } = answer;
	const names = witnesses.map(({ name, self }) => self ? `${name} (self)` : name);
	return [
		...isLogUnchecked ? ["no key of the log was given: another log of the same operator would pass"] : [],
		...names.length === 0 ? [] : [`witnesses of the newest witnessed head: ${names.join(", ")}`],
		unwitnessedSinceSeq === null ? "every entry is covered by a witnessed head" : `unwitnessed since seq ${unwitnessedSinceSeq}`
	];
}
// src/verifiers/bounded-file.ts
const BLOCK_BYTES$1 = 65536;
/**
* The bytes of a file, or null when it has more than so many: a device or a file that grows has no end. Throws what the
* system says when it cannot be opened or read.
*/
function readBounded(path, bytesMax) {
	const descriptor = openSync(path, "r");
	try {
		const block = Buffer.allocUnsafe(BLOCK_BYTES$1);
		const parts = [];
		for (let bytes = 0; bytes <= bytesMax;) {
			const count = readSync(descriptor, block, 0, BLOCK_BYTES$1, null);
			if (count === 0) return Buffer.concat(parts);
			bytes += count;
			parts.push(Buffer.from(block.subarray(0, count)));
		}
		return null;
	} finally {
		closeSync(descriptor);
	}
}
// src/verifiers/ledger/arguments.ts
const USAGE = `usage: node verify-ledger.mjs FILE [options]
  FILE                         an export of a ledger: JSON Lines, or the single JSON document
  --expected-head HEAD         <hash> or <seq>:<hash>: the history holds this head
  --hmac-secret-file FILE      lines <kid> <64 hex digits>, or one line of 64 hex digits: checks who sealed
  --witness-keys FILE          one C2SP verifier key a line, of the log and of witnesses: checks who signed; with a
                               key of the log the file has to be of that log
  --witness-quorum N           so many of these witnesses on the newest witnessed head (default 1); not more than
                               different keys of witnesses are given
  --require-sealed             a ledger without sealed entries is a break
  --require-signatures         a seal that could not be checked is a break
  --json                       one line of JSON on standard output
  --no-progress                no progress bar
  --threads N                  worker threads for large files (default: one a processor, at most 4; 0 = none)
  --help                       this text
exit: 0 verified, 1 the first break, 2 not a readable export or unusable options`;
const FLAGS = [
	"--require-sealed",
	"--require-signatures",
	"--json",
	"--no-progress"
];
const VALUED = [
	"--expected-head",
	"--hmac-secret-file",
	"--witness-keys",
	"--witness-quorum",
	"--threads"
];
const QUORUM = /^[1-9][0-9]{0,8}$/;
const THREADS = /^([0-9]{1,2})(?::([1-9][0-9]{0,8}))?$/;
const wantsJson = (given) => given.includes("--json");
/** Reads the command line and the files it names; `read` gives the bytes of a file, or why there are none. */
function parseArguments(given, read) {
	const split = splitArguments(given);
	if (!split.ok) return split;
	const { file, values } = split.value;
	const options = readOptions(values, read);
	if (!options.ok) return options;
	const threads = values.get("--threads");
	const [, count, chunkBytes] = THREADS.exec(threads ?? "") ?? [];
	if (threads !== void 0 && count === void 0) return err("--threads takes a small number");
	return ok({
		file,
		options: options.value,
		used: [...values.keys()].filter((name) => ![
			"--json",
			"--no-progress",
			"--threads"
		].includes(name)).map((name) => VALUED.includes(name) ? `${name} ${values.get(name) ?? ""}` : name),
		progress: !values.has("--no-progress"),
		threads: count === void 0 ? null : {
			count: Number(count),
			chunkBytes: chunkBytes === void 0 ? null : Number(chunkBytes)
		}
	});
}
function splitArguments(given) {
	const files = [];
	const values = /* @__PURE__ */ new Map();
	for (let index = 0; index < given.length; index += 1) {
		const argument = given[index] ?? "";
		if (!argument.startsWith("-")) {
			files.push(argument);
			continue;
		}
		const [name = "", ...rest] = argument.split("=");
		if (values.has(name)) return err(`${name} is given twice`);
		if (FLAGS.includes(argument)) values.set(name, "");
		else if (VALUED.includes(name)) {
			const value = rest.length > 0 ? rest.join("=") : given[index += 1];
			if (value === void 0 || value === "") return err(`${name} takes a value`);
			values.set(name, value);
		} else return err(`there is no option ${visible(name)}\n${USAGE}`);
	}
	const [file, ...others] = files;
	return file === void 0 || others.length > 0 ? err(`one file is verified at a time\n${USAGE}`) : ok({
		file,
		values
	});
}
function readOptions(values, read) {
	const head = optional(values.get("--expected-head"), parseExpectedHead);
	if (!head.ok) return head;
	const secrets = optional(values.get("--hmac-secret-file"), (file) => named("--hmac-secret-file", read(file), parseSecrets));
	if (!secrets.ok) return secrets;
	const keys = optional(values.get("--witness-keys"), (file) => named("--witness-keys", read(file), parseWitnessKeys));
	if (!keys.ok) return keys;
	const quorum = values.get("--witness-quorum");
	if (quorum !== void 0 && (!QUORUM.test(quorum) || keys.value === null)) return err("--witness-quorum takes a number from 1 on, and needs --witness-keys");
	const fault = quorum === void 0 ? null : quorumFault(Number(quorum), keys.value ?? []);
	if (fault !== null) return err(fault);
	return ok({
		...NO_OPTIONS,
		expectedHead: head.value,
		secrets: secrets.value,
		witnessKeys: keys.value,
		witnessQuorum: Number(quorum ?? NO_OPTIONS.witnessQuorum),
		requireSealed: values.has("--require-sealed"),
		requireSignatures: values.has("--require-signatures")
	});
}
const optional = (given, parse) => given === void 0 ? ok(null) : parse(given);
function named(option, bytes, parse) {
	if (!bytes.ok) return err(`${option}: ${bytes.error}`);
	const text = decodeUtf8(bytes.value);
	const parsed = text === null ? err("the file is no UTF-8 text") : parse(text);
	return parsed.ok ? parsed : err(`${option}: ${parsed.error}`);
}
// src/verifiers/ledger/export-file.ts
const BLOCK_BYTES = 1048576;
const LINE_FEED$1 = 10;
/** A file that is read once from its beginning to its end, line by line; a pipe does as well. */
var ExportFile = class {
	/** Bytes of a regular file; null = it cannot be read at any place. */
	size;
	descriptor;
	#buffer = Buffer.allocUnsafe(BLOCK_BYTES);
	/** What is read and not yet given away. */
	#begin = 0;
	#end = 0;
	#isAtEnd = false;
	/** Place in the file of what is read next. */
	#position = 0;
	/** Throws what the system says when the file cannot be opened. */
	constructor(path) {
		this.descriptor = openSync(path, "r");
		const status = fstatSync(this.descriptor);
		this.size = status.isFile() ? status.size : null;
	}
	/** Place in the file of the next line. */
	get offset() {
		return this.#position - (this.#end - this.#begin);
	}
	close() {
		closeSync(this.descriptor);
	}
	/**
	* The first line that says something, with what stands before it; the whole file when no line ends in the first
	* {@link LINE_BYTES_MAX} bytes. It is given again by {@link lines}.
	*/
	firstLine() {
		let from = this.#begin;
		for (;;) {
			while (from < this.#end && isSpace(this.#buffer[from])) from += 1;
			const end = this.#buffer.subarray(0, this.#end).indexOf(LINE_FEED$1, from);
			if (end >= 0) return this.#buffer.subarray(this.#begin, end);
			if (this.#end - this.#begin > 16777216 || !this.#more()) return this.#buffer.subarray(this.#begin, this.#end);
			from = Math.min(from, this.#end);
		}
	}
	/** Gives lines until one is refused, the file ends, or the next line starts at `until`. */
	lines(onLine, until = Infinity) {
		let searched = this.#begin;
		for (;;) {
			if (this.offset >= until) return;
			const buffer = this.#buffer;
			const end = buffer.indexOf(LINE_FEED$1, searched);
			if (end >= 0 && end < this.#end) {
				const begin = this.#begin;
				this.#begin = end + 1;
				searched = this.#begin;
				if (!onLine(buffer, begin, end)) return;
				continue;
			}
			const length = this.#end - this.#begin;
			if (length > 16777216 || !this.#more()) {
				const [begin, last] = [this.#begin, this.#end];
				this.#begin = this.#end;
				if (length > 0) onLine(this.#buffer, begin, last);
				return;
			}
			searched = this.#begin + length;
		}
	}
	/** Goes on at another place of a regular file. */
	seek(offset) {
		this.#begin = 0;
		this.#end = 0;
		this.#isAtEnd = false;
		this.#position = offset;
	}
	/** All that is left, or null when it is more than so many bytes. */
	rest(bytesMax) {
		while (this.#end - this.#begin <= bytesMax && this.#more());
		return this.#end - this.#begin > bytesMax ? null : this.#buffer.subarray(this.#begin, this.#end);
	}
	/** Reads a block more behind what is left; false = the file is at its end. */
	#more() {
		if (this.#isAtEnd) return false;
		const length = this.#end - this.#begin;
		const target = length * 2 > this.#buffer.length ? Buffer.allocUnsafe(this.#buffer.length * 2) : this.#buffer;
		this.#buffer.copy(target, 0, this.#begin, this.#end);
		this.#buffer = target;
		this.#begin = 0;
		this.#end = length;
		const place = this.size === null ? null : this.#position;
		const count = readSync(this.descriptor, target, length, target.length - length, place);
		this.#position += count;
		this.#end += count;
		this.#isAtEnd = count === 0;
		return count > 0;
	}
};
const isSpace = (byte) => byte === 32 || byte === 9 || byte === 10 || byte === 13;
// src/verifiers/ledger/progress-bar.ts
const WIDTH = 30;
const REDRAW_MS = 100;
/** Draws how much of a long file was read, on a terminal, over one line that is wiped at the end. */
var ProgressBar = class {
	stream;
	total;
	#drawnAtMs = -Infinity;
	/** `total` null, or another stream than a terminal: nothing is drawn. */
	constructor(stream, total) {
		this.stream = stream;
		this.total = total;
	}
	show(done) {
		if (this.total === null || this.total === 0 || !this.stream.isTTY) return;
		const nowMs = performance.now();
		if (nowMs - this.#drawnAtMs < REDRAW_MS) return;
		this.#drawnAtMs = nowMs;
		const share = Math.min(1, done / this.total);
		const filled = Math.round(share * WIDTH);
		const bar = `${"#".repeat(filled)}${".".repeat(WIDTH - filled)}`;
		this.stream.write(`\rverifying [${bar}] ${Math.floor(share * 100)} %`);
	}
	clear() {
		if (this.#drawnAtMs > -Infinity) this.stream.write(`\r${" ".repeat(50)}\r`);
	}
};
// src/verifiers/ledger/chunk.ts
const LINE_FEED = 10;
const SEARCH_BYTES = 65536;
/** Reads and judges the chunks it is given, one at a time. */
var ChunkJudge = class {
	setting;
	#buffer = Buffer.alloc(0);
	constructor(setting) {
		this.setting = setting;
	}
	judge(chunk) {
		const unjudged = this.leave(chunk);
		const { begin, end } = unjudged;
		return end <= begin || end - chunk.end > 16777216 ? unjudged : {
			begin,
			end,
			report: this.#run(begin, end)
		};
	}
	/** Says where the lines of a chunk are, and leaves them to be judged where they stand. */
	leave(chunk) {
		const begin = this.#lineStart(chunk.begin);
		return {
			begin,
			end: Math.max(begin, this.#lineStart(chunk.end)),
			report: null
		};
	}
	#run(begin, end) {
		const length = end - begin;
		if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafe(length);
		if (!this.#fill(begin, length)) return null;
		const bytes = this.#buffer.subarray(0, length);
		const firstEnd = bytes.indexOf(LINE_FEED);
		const start = firstEnd < 0 ? null : runStartOf(bytes, 0, firstEnd);
		if (start === null) return null;
		const firstLeaf = start.seq - this.setting.unsealedCount;
		return judgeRun(this.setting.context, {
			...start,
			firstLeaf
		}, (judge) => linesOf(bytes, judge));
	}
	/** The first place at or behind this one where a line starts. */
	#lineStart(place) {
		const { descriptor, fileSize } = this.setting;
		const block = Buffer.allocUnsafe(SEARCH_BYTES);
		let at = place - 1;
		while (at < fileSize) {
			const count = readSync(descriptor, block, 0, SEARCH_BYTES, at);
			const found = block.subarray(0, count).indexOf(LINE_FEED);
			if (found >= 0) return at + found + 1;
			if (count === 0) break;
			at += count;
		}
		return fileSize;
	}
	#fill(begin, length) {
		for (let filled = 0; filled < length;) {
			const count = readSync(this.setting.descriptor, this.#buffer, filled, length - filled, begin + filled);
			if (count === 0) return false;
			filled += count;
		}
		return true;
	}
};
function linesOf(bytes, onLine) {
	for (let begin = 0; begin < bytes.length;) {
		const found = bytes.indexOf(LINE_FEED, begin);
		const end = found < 0 ? bytes.length : found;
		if (!onLine(bytes, begin, end)) return;
		begin = end + 1;
	}
}
// src/verifiers/ledger/threads.ts
/** More threads than this would take more memory than a verifier should. */
const THREADS_MAX = 4;
const CHUNK_BYTES = 4194304;
/** Starting threads costs more than they bring for less than this. */
const WORTHWHILE_BYTES = 33554432;
/** A thread holds one chunk and little else. */
const THREAD_LIMITS = {
	maxYoungGenerationSizeMb: 4,
	maxOldGenerationSizeMb: 128
};
/** What a thread does: judges each chunk it is sent. */
function serveChunks() {
	const judge = new ChunkJudge(workerData);
	parentPort?.on("message", (chunk) => parentPort?.postMessage(judge.judge(chunk)));
}
/**
* Reads the rest of a large regular file with threads, the header and a row being read already. Each judges chunks of
* lines on their own word; here they are put together in order, and whatever does not fit together, or is anything but
* plain sealed rows, is judged here again line by line. So the answer is the one of a single thread.
*/
async function readWithThreads(read) {
	const { file, verifier, plan, bar } = read;
	const count = plan?.count ?? Math.min(availableParallelism(), THREADS_MAX);
	const context = verifier.rowContext;
	if (file.size === null || context === null || count === 0) return;
	const chunkBytes = plan?.chunkBytes ?? CHUNK_BYTES;
	if (plan?.chunkBytes === null || plan === null) {
		if (file.size - file.offset < WORTHWHILE_BYTES || count === 1) return;
	}
	const setting = {
		descriptor: file.descriptor,
		fileSize: file.size,
		context,
		unsealedCount: verifier.unsealedCount
	};
	const pool = new Pool({
		module: read.module,
		setting,
		count,
		chunkBytes,
		from: file.offset
	});
	try {
		for await (const chunk of pool.inOrder()) {
			if (chunk.report === null || !verifier.takeRun(chunk.report)) {
				file.seek(chunk.begin);
				let goesOn = true;
				file.lines((...line) => goesOn = verifier.line(...line), chunk.end);
				if (!goesOn) return;
			}
			file.seek(chunk.end);
			bar.show(chunk.end);
		}
	} finally {
		await pool.close();
	}
}
/** A thread that answers in the order it is asked. Null = it came to an end before, and the chunk is not judged. */
var Thread = class {
	/** Whether it answers what it is asked. */
	isAlive = true;
	#worker;
	#waiting = [];
	/** Throws when the machine has no room for another thread. */
	constructor(module, setting) {
		this.#worker = new Worker(module, {
			workerData: setting,
			resourceLimits: THREAD_LIMITS
		});
		this.#worker.on("message", (chunk) => this.#waiting.shift()?.(chunk));
		this.#worker.on("error", () => this.#ended());
		this.#worker.on("exit", () => this.#ended());
	}
	ask(chunk) {
		const answer = new Promise((resolve) => this.#waiting.push(resolve));
		this.#worker.postMessage(chunk);
		return answer;
	}
	async close() {
		await this.#worker.terminate();
	}
	#ended() {
		this.isAlive = false;
		for (const resolve of this.#waiting.splice(0)) resolve(null);
	}
};
/**
* The chunks of a file one after the other, judged by all threads at once: each works on one and holds the next. What a
* thread was asked when it ended is left to be judged where it stands, and what comes is for the others.
*/
var Pool = class {
	pool;
	#threads;
	#here;
	constructor(pool) {
		this.pool = pool;
		this.#threads = startedThreads(pool);
		this.#here = new ChunkJudge(pool.setting);
	}
	async *inOrder() {
		const { from, chunkBytes, setting, count } = this.pool;
		const chunkCount = Math.ceil((setting.fileSize - from) / chunkBytes);
		const ahead = [];
		for (let index = 0, asked = 0; index < chunkCount; index += 1) {
			for (; asked < chunkCount && asked < index + 2 * count; asked += 1) {
				const begin = from + asked * chunkBytes;
				const chunk = {
					begin,
					end: Math.min(begin + chunkBytes, setting.fileSize)
				};
				ahead.push({
					chunk,
					judged: this.#ask(asked, chunk)
				});
			}
			const next = ahead.shift();
			if (next !== void 0) yield await next.judged ?? this.#here.leave(next.chunk);
		}
	}
	async close() {
		await Promise.all(this.#threads.map((thread) => thread.close()));
	}
	async #ask(turn, chunk) {
		const alive = this.#threads.filter(({ isAlive }) => isAlive);
		return await alive[turn % alive.length]?.ask(chunk) ?? null;
	}
};
/** So many threads, or as many as the machine has room for. */
function startedThreads({ module, setting, count }) {
	const threads = [];
	try {
		while (threads.length < count) threads.push(new Thread(module, setting));
	} catch {}
	return threads;
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
// src/verifiers/verify-ledger.ts
/** This file: its threads run it as well. */
const MODULE = new URL(import.meta.url);
/** Lines between two looks at the progress bar. */
const LINES_A_LOOK = 4096;
/** Prints the answer and sets the exit code; nothing that is thrown leaves as success. */
async function main(given) {
	if (asksForHelp(given)) {
		process.exitCode = 2;
		process.stdout.write(`${USAGE}\n`);
		return;
	}
	const { answer, used } = await answered(given).catch((error) => unusable(`not verified: ${error instanceof Error ? error.message : "the verifier failed"}`));
	process.exitCode = exitCodeOf(answer);
	process.stdout.write(`${wantsJson(given) ? answerJson(answer) : answerText(answer, used)}\n`);
}
const unusable = (message) => ({
	answer: {
		result: "unusable",
		message
	},
	used: []
});
async function answered(given) {
	const parsed = parseArguments(given, bytesOf);
	if (!parsed.ok) return unusable(parsed.error);
	const { file: path, progress, used } = parsed.value;
	try {
		const file = new ExportFile(path);
		const bar = new ProgressBar(process.stderr, progress ? file.size : null);
		try {
			return {
				answer: await verify$1(file, parsed.value, bar),
				used
			};
		} finally {
			bar.clear();
			file.close();
		}
	} catch (error) {
		return unusable(visible(readFault(path, error)));
	}
}
function bytesOf(path) {
	try {
		const bytes = readBounded(path, LINE_BYTES_MAX);
		return bytes === null ? err(`${visible(path)} is longer than ${LINE_BYTES_MAX} bytes`) : ok(bytes);
	} catch (error) {
		return err(visible(readFault(path, error)));
	}
}
async function verify$1(file, { options, threads }, bar) {
	const verifier = new ExportVerifier(options);
	const first = decodeUtf8(file.firstLine());
	if (first === null || !isHeaderLine(first)) {
		const rest = file.rest(DOCUMENT_BYTES_MAX);
		return rest === null ? {
			result: "unreadable",
			message: "it is no JSON Lines, and a single document has at most 256 MiB"
		} : verifier.document(rest);
	}
	let goesOn = true;
	file.lines((...line) => {
		goesOn = verifier.line(...line);
		return goesOn && verifier.rowContext === null;
	});
	if (goesOn) await readWithThreads({
		file,
		verifier,
		plan: threads,
		module: MODULE,
		bar
	});
	let count = 0;
	file.lines((...line) => {
		count += 1;
		if (count % LINES_A_LOOK === 0) bar.show(file.offset);
		return verifier.line(...line);
	});
	return verifier.end();
}
if (isMainThread) {
	process.on("uncaughtException", () => process.exit(2));
	await main(process.argv.slice(2));
} else serveChunks();
export {};
