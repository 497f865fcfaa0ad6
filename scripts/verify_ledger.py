#!/usr/bin/env python3
"""Verifies an export of a commerce ledger, on any computer, without network and without database.

    python3 verify_ledger.py export.jsonl [--expected-head <hash>|<seq>:<hash>] [--hmac-secret-file FILE]
        [--witness-keys FILE] [--witness-quorum N] [--require-sealed] [--require-signatures] [--json] [--no-progress]

Python 3.8 or newer, standard library only. Written from the contract below and from nothing else, beside a second
verifier in JavaScript (verify-ledger.mjs): for every file and every choice of options the two give the same answer.

EXIT CODES
    0  verified
    1  a break: the first thing that is wrong is named, as `<code> at seq <number>`
    2  this file is not a readable export, or an option or a file it names cannot be used: the answer says which
With --json exactly one line of JSON goes to standard output, otherwise text for people. A break is an irregularity:
make a second export of the same ledger and compare the two files.

WHAT IS READ
JSON Lines: a header; then the anchors and the witnessed heads in the order of (seq, kind, note); then one row for each
entry from 0 to the head; then a trailer. Or one JSON document that holds the same. A file is read as JSON Lines when
its first line is a complete JSON value of kind "header", otherwise as one document (256 MiB at most).
The JSON is read strictly. These are exit 2: bytes that are not UTF-8, a byte order mark, empty lines, lines over 16 MiB,
a member twice in one object, numbers with a fraction or an exponent, -0, numbers beyond 2^53 - 1, NaN, Infinity, half
surrogate pairs, raw control characters in strings, more than 8,388,608 values in one document, missing or unknown
members, wrong types, an unknown kind, format or version, lines in another order, a note that is not a signed checkpoint,
more than 10,000 anchors or more than 10,000 witnessed heads, a last line torn in its middle. Space between tokens and
other spellings of one string carry no meaning. JSON Lines are judged in the order of the file: what stands behind the
first break is not read.

WHAT IS CHECKED FOR EACH ROW, in this order
    extra_rows        its seq lies beyond the head that the header states
    sequence_gap      its seq is larger than the next one        sequence_duplicate  it is smaller
    previous_link     a sealed row: `prev` is not the link that THIS program computed for the sealed row before it
                      (64 zeros for the first); links of the file are never carried forward
    link_hash         `link` is not the SHA-256 of tenant, seq, kid, prev, mac and body; or the seal is incomplete or
                      malformed; or the row is sealed while the ledger says that sealing is off
    canonical_form    the body is not the one canonical text (RFC 8785) of an entry; or entry 0, and no other, does not
                      open the ledger
    key_unknown       the header does not list the row's kid
    signature         `mac` is not the HMAC-SHA256 under the given secret of that kid (only with --hmac-secret-file)
Rows before sealing was switched on, and between off and on, are unsealed: nothing chains them. The digest in the
trailer covers them, but it is no protection against somebody who rewrites the file.

WHAT IS CHECKED AT THE END, in this order
    truncated               no trailer; or the last row lies before the head, an anchor, a witnessed or expected head
    head_mismatch           the header's or the trailer's statement about the rows is not what the rows say
    anchor_mismatch         an anchor (a checkpoint signed by the ledger) is not about these rows: seq, link, number of
                            sealed rows, root of the Merkle tree (RFC 6962) over all links up to it, or origin differs
    witness_mismatch        the same for a witnessed head (a checkpoint that witnesses have signed as well)
    digest_mismatch         the trailer's SHA-256 over header, anchors, witnessed heads and unsealed rows is another one
    expected_head_mismatch  the head given with --expected-head is not in this ledger
    checkpoint_signature    with a log key (type 01) in --witness-keys: the header's `origin` is not the name of one;
                            or, in any checkpoint, a line that names a given log key does not verify, or there is no
                            line of a given log key named like the origin
    witness_signature       with --witness-keys: the same for a given witness key (type 04)
    cosignature_quorum      with --witness-keys: fewer than --witness-quorum given keys signed the newest witnessed head
    not_sealed              --require-sealed and no row is sealed
    signatures_unverifiable --require-signatures and not every mac was checked

WHAT "verified" MEANS
The rows are unchanged since their links were made, and anchors and witnessed heads are about them. Somebody who holds
the file can rewrite ALL of it with fresh links: that is found only against a head from outside, that is a head you kept
(--expected-head), or witnesses whose keys you trust (--witness-keys). Without keys the hashes in witnessed heads are
compared but their signatures are not. Witnesses know a ledger by its origin alone: give the log's key too, else they vouch
for any other ledger that the same operator had them sign under another name. The macs are checked only with the secret of the platform; without it the
answer says so (`signatures: skipped`), and a kid whose secret you do not have is no break (`unverifiable`).

FILES GIVEN WITH OPTIONS (`#` starts a comment line, blank lines are skipped)
    --hmac-secret-file  lines `<kid> <64 hex digits>`, the derived ledger keys of this tenant; or one line of 64 hex
                        digits, the key of the only kid in the header
    --witness-keys      one verifier key a line, C2SP signed-note form `name+id+base64`: type 01 (Ed25519: the log, whose
                        name is the origin; before and after a change of its key: both) or 04 (Ed25519 cosignature: a
                        witness). Keys of small order are refused. A --witness-quorum above the number of different keys
                        of type 04 is exit 2: no file could meet it.
"""

import argparse
import base64
import errno
import hashlib
import hmac
import json
import os
import re
import sys
import time

if sys.version_info < (3, 8):
    sys.stderr.write("verify_ledger.py needs Python 3.8 or newer\n")
    sys.exit(2)

VERIFIED, BROKEN, UNREADABLE = 0, 1, 2

FORMAT = "oacp-commerce-ledger"
VERSION = 1
GENESIS = "0" * 64
INTEGER_MAX = 2**53 - 1
DEPTH_MAX = 32
LINE_BYTES_MAX = 16 * 1024 * 1024
DOCUMENT_BYTES_MAX = 256 * 1024 * 1024
# As many as a line can hold; a document with more of them is mostly commas.
VALUES_MAX = 8 * 1024 * 1024
NOTE_SIGNATURES_MAX = 100
POINTS_MAX = 10000  # of each kind; an exporter writes one anchor and 1,000 witnessed heads

# Always with fullmatch: `$` would let a line feed pass.
DIGEST = re.compile("[0-9a-f]{64}")
KID = re.compile("[A-Za-z0-9._-]{1,64}")
TENANT = re.compile("tnt_[0-9a-z]{1,64}")
INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
DECIMAL = re.compile("0|[1-9][0-9]*")
SECRET = re.compile("[0-9A-Fa-f]{64}")
SECRET_LINE = re.compile("([A-Za-z0-9._-]{1,64})[ \t]+([0-9A-Fa-f]{64})")

MEANINGS = {
    "extra_rows": "the file holds a row beyond the head that its header states",
    "sequence_gap": "rows are missing in front of this one, or rows are out of order",
    "sequence_duplicate": "a row with this number was read before, or rows are out of order",
    "previous_link": "the row does not continue the sealed row before it",
    "link_hash": "the row was edited, or its seal was removed, added or damaged",
    "canonical_form": "the body of the row is not the one canonical text of an entry",
    "key_unknown": "the row is sealed with a key that the header does not list",
    "signature": "the row's signature was not made with the given secret",
    "truncated": "the end of the ledger is missing",
    "head_mismatch": "what header or trailer state about the rows is not what the rows say",
    "anchor_mismatch": "an anchor was made over other rows than these",
    "witness_mismatch": "a witnessed head was made over other rows than these",
    "digest_mismatch": "header, anchors, witnessed heads or unsealed rows were changed after the export",
    "expected_head_mismatch": "the expected head is not in this ledger",
    "checkpoint_signature": "this is not the log whose key was given, or that key did not sign a checkpoint",
    "witness_signature": "a cosignature was not made by the given witness key that it names",
    "cosignature_quorum": "too few of the given witnesses signed the newest witnessed head",
    "not_sealed": "no row of this ledger is sealed, and --require-sealed asks for it",
    "signatures_unverifiable": "not every row signature could be checked, and --require-signatures asks for it",
}


class Unreadable(Exception):
    """The file is not a readable export: exit 2."""


class Unusable(Exception):
    """An option, or a file that it names, cannot be used: exit 2. The message never holds a secret."""


class Break(Exception):
    """The first thing that is wrong with a readable export: exit 1."""

    def __init__(self, code, seq):
        super().__init__("%s at seq %d" % (code, seq))
        self.code = code
        self.seq = seq


# ---------------------------------------------------------------------------------------------------------------------
# JSON, read strictly and written canonically
# ---------------------------------------------------------------------------------------------------------------------


def utf16(text):
    """Sort key of RFC 8785: UTF-16 code units, in which U+1F602 stands before U+FB33."""
    return text.encode("utf-16-be", "surrogatepass")


def strict_integer(digits):
    # Longer texts are out of range anyway, and are not worth converting.
    if len(digits) > 17 or digits == "-0" or abs(int(digits)) > INTEGER_MAX:
        raise ValueError("a number that is not an integer within 2^53 - 1, or is -0")
    return int(digits)


def refuse_number(_digits):
    raise ValueError("a number with fraction or exponent, NaN or Infinity")


def unique_members(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member that stands twice in one object")
    return members


def sorted_members(pairs):
    names = [name for name, _ in pairs]
    keys = names if all(map(str.isascii, names)) else [utf16(name) for name in names]
    for left, right in zip(keys, keys[1:]):
        if left >= right:
            raise ValueError("members out of order")
    return dict(pairs)


def decoder(members):
    return json.JSONDecoder(
        object_pairs_hook=members,
        parse_int=strict_integer,
        parse_float=refuse_number,
        parse_constant=refuse_number,
        strict=True,
    )


ANY_ORDER = decoder(unique_members)
SORTED = decoder(sorted_members)


def values_in(value):
    if type(value) is dict:
        return 1 + sum(map(values_in, value.values()))
    return 1 + sum(map(values_in, value)) if type(value) is list else 1


def read_json(octets):
    """The value of a line or document, or ValueError saying what is wrong with it."""
    text = octets.decode("utf-8")
    try:
        value = ANY_ORDER.decode(text)
        # UTF-8 itself cannot hold half a surrogate pair, an escape can.
        whole = "\\u" not in text or is_well_formed(value)
    except RecursionError:
        raise ValueError("values that nest too deep") from None
    if not whole:
        raise ValueError("half a surrogate pair")
    # A value and its comma take two bytes.
    if len(octets) > 2 * VALUES_MAX and values_in(value) > VALUES_MAX:
        raise ValueError("more than %d values" % VALUES_MAX)
    return value


def is_well_formed(value):
    if type(value) is str:
        return not any("\ud800" <= character <= "\udfff" for character in value)
    if type(value) is dict:
        return all(is_well_formed(name) and is_well_formed(member) for name, member in value.items())
    if type(value) is list:
        return all(map(is_well_formed, value))
    return True


def in_order(value):
    if type(value) is dict:
        return {name: in_order(value[name]) for name in sorted(value, key=utf16)}
    return [in_order(item) for item in value] if type(value) is list else value


def printed(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def canonical(value):
    """RFC 8785 text of strings, integers, booleans, null, lists and dicts."""
    return printed(in_order(value))


def depth_of(value):
    if type(value) is dict:
        return 1 + max(map(depth_of, value.values()), default=0)
    return 1 + max(map(depth_of, value), default=0) if type(value) is list else 0


# ---------------------------------------------------------------------------------------------------------------------
# Shapes: which members a line has, and of which types
# ---------------------------------------------------------------------------------------------------------------------


def text(value, path):
    if type(value) is not str:
        raise Unreadable("%s is not a string" % path)


def flag(value, path):
    if type(value) is not bool:
        raise Unreadable("%s is not true or false" % path)


def count(value, path):
    # bool is a kind of int in Python, therefore `type` and not `isinstance`.
    if type(value) is not int or value < 0:
        raise Unreadable("%s is not an integer of 0 or more" % path)


def or_null(shape):
    def check(value, path):
        if value is not None:
            shape(value, path)

    return check


def exactly(wanted):
    def check(value, path):
        if type(value) is not type(wanted) or value != wanted:
            raise Unreadable("%s is not %s" % (path, json.dumps(wanted)))

    return check


def matching(pattern, what):
    def check(value, path):
        if type(value) is not str or not pattern.fullmatch(value):
            raise Unreadable("%s is not %s" % (path, what))

    return check


def list_of(shape):
    def check(value, path):
        if type(value) is not list:
            raise Unreadable("%s is not an array" % path)
        for index, item in enumerate(value):
            shape(item, "%s[%d]" % (path, index))

    return check


def record(**members):
    def check(value, path):
        if type(value) is not dict:
            raise Unreadable("%s is not an object" % path)
        for name in members:
            if name not in value:
                raise Unreadable("%s has no member %s" % (path, name))
        for name in value:
            if name not in members:
                raise Unreadable("%s has the unknown member %s" % (path, json.dumps(name)))
        for name, shape in members.items():
            shape(value[name], "%s.%s" % (path, name))

    return check


HEAD = record(seq=count, hash=or_null(text))
COUNTS = record(sealed=count, unsealed=count)
HEADER_MEMBERS = dict(
    format=exactly(FORMAT),
    version=exactly(VERSION),
    tenant_id=matching(TENANT, "the id of a tenant"),
    exported_at=matching(INSTANT, "an instant in UTC with milliseconds"),
    sealing=record(enabled=flag, since_seq=or_null(count), kids=list_of(text)),
    head=HEAD,
    counts=COUNTS,
    origin=or_null(text),
    log_key=or_null(text),
    self_witnesses=list_of(text),
)
POINT_MEMBERS = dict(seq=count, hash=text, size=count, note=text)
TRAILER_MEMBERS = dict(head=HEAD, counts=COUNTS, digest=text)
SEAL = or_null(text)
ROW = record(seq=count, body=text, kid=SEAL, prev=SEAL, mac=SEAL, link=SEAL)
LINES = {
    "header": record(kind=exactly("header"), **HEADER_MEMBERS),
    "anchor": record(kind=exactly("anchor"), **POINT_MEMBERS),
    "witnessed_head": record(kind=exactly("witnessed_head"), **POINT_MEMBERS),
    "trailer": record(kind=exactly("trailer"), **TRAILER_MEMBERS),
}
POINT_KINDS = ("anchor", "witnessed_head")
DOCUMENT = record(
    anchors=list_of(record(**POINT_MEMBERS)),
    witnessed_heads=list_of(record(**POINT_MEMBERS)),
    rows=list_of(ROW),
    trailer=record(**TRAILER_MEMBERS),
    **HEADER_MEMBERS
)


# ---------------------------------------------------------------------------------------------------------------------
# Bytes of an entry
# ---------------------------------------------------------------------------------------------------------------------


def same(left, right):
    """Compares in constant time. `right` is what this program computed."""
    return hmac.compare_digest(left.encode("utf-8"), right.encode("utf-8"))


def place_of(tenant, row):
    return "%s\n%d\n%s\n%s\n" % (tenant, row["seq"], row["kid"], row["prev"])


def link_of(tenant, row):
    octets = "arbiter-link/1\n%s%s\n%s" % (place_of(tenant, row), row["mac"], row["body"])
    return hashlib.sha256(octets.encode("utf-8")).hexdigest()


def mac_of(tenant, row, secret):
    octets = "arbiter-mac/1\n%s%s" % (place_of(tenant, row), row["body"])
    return hmac.new(secret, octets.encode("utf-8"), hashlib.sha256).hexdigest()


ENTRY_MEMBERS = {"actor", "at", "data", "id", "request_id", "type", "v"}
# Of the member "signature", which an entry has when the request behind it was signed; the value: whether it may be null.
SIGNATURE_MEMBERS = {
    "agent": True,
    "coverage": False,
    "created": True,
    "expires": True,
    "keyid": False,
    "nonce_hash": True,
    "profile": False,
    "tag": True,
}


def is_signature(value):
    if type(value) is not dict or value.keys() != SIGNATURE_MEMBERS.keys():
        return False
    return all(type(value[name]) is str or (value[name] is None and SIGNATURE_MEMBERS[name]) for name in value)


def entry_of(body, seq):
    """The entry that a body is the canonical text of; None when it is not, or opens a ledger anywhere but at 0."""
    try:
        entry = SORTED.decode(body)
        deep = body.count("{") + body.count("[") > DEPTH_MAX and depth_of(entry) > DEPTH_MAX
    except (ValueError, RecursionError):
        return None
    if deep or printed(entry) != body or type(entry) is not dict:
        return None
    if entry.keys() - {"signature"} != ENTRY_MEMBERS:
        return None
    if "signature" in entry and not is_signature(entry["signature"]):
        return None
    if type(entry["v"]) is not int or entry["v"] != 1 or type(entry["data"]) is not dict:
        return None
    actor = entry["actor"]
    if type(actor) is not dict or actor.keys() != {"id", "role"}:
        return None
    texts = (actor["id"], actor["role"], entry["at"], entry["id"], entry["request_id"], entry["type"])
    if not all(type(member) is str for member in texts):
        return None
    return entry if (entry["type"] == "ledger.opened") == (seq == 0) else None


def declared_sealing(entry):
    """Whether an entry switches sealing on (True) or off (False); None when it says nothing about it."""
    if entry["type"] == "ledger.sealing_switched":
        return entry["data"].get("on") is True
    if entry["type"] == "ledger.opened":
        sealing = entry["data"].get("sealing")
        return type(sealing) is dict and sealing.get("on") is True
    return None


# ---------------------------------------------------------------------------------------------------------------------
# Merkle tree (RFC 6962) over the links of the sealed rows
# ---------------------------------------------------------------------------------------------------------------------


class Tree:
    """Holds only the roots of the complete subtrees, largest first: one for each 1 in the binary form of the size."""

    def __init__(self):
        self.size = 0
        self.peaks = []

    def push(self, data):
        peak = hashlib.sha256(b"\x00" + data).digest()
        rest = self.size
        while rest & 1:
            peak = self.node(self.peaks.pop(), peak)
            rest >>= 1
        self.peaks.append(peak)
        self.size += 1

    def root(self):
        if not self.peaks:
            return hashlib.sha256(b"").digest()
        root = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            root = self.node(peak, root)
        return root

    @staticmethod
    def node(left, right):
        return hashlib.sha256(b"\x01" + left + right).digest()


# ---------------------------------------------------------------------------------------------------------------------
# Ed25519 (RFC 8032): verification only
# ---------------------------------------------------------------------------------------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_MINUS_1 = pow(2, (P - 1) // 4, P)
IDENTITY = (0, 1, 1, 0)


def point_add(one, two):
    """Extended coordinates (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z; complete, so it doubles as well."""
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = two
    a = (y1 - x1) * (y2 - x2) % P
    b = (y1 + x1) * (y2 + x2) % P
    c = 2 * t1 * t2 * D % P
    d = 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def point_double(point):
    x, y, z, _ = point
    a, b = x * x % P, y * y % P
    h = a + b
    e = h - (x + y) * (x + y) % P
    g = a - b
    f = 2 * z * z + g
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def point_decode(octets):
    """None when no point of the curve has this y. As widely done, y is reduced modulo p and x = -0 is taken as 0."""
    number = int.from_bytes(octets, "little")
    sign, y = number >> 255, (number & (2**255 - 1)) % P
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P != u:
        x = x * SQRT_MINUS_1 % P
    if v * x * x % P != u:
        return None
    if x & 1 != sign:
        x = -x % P
    return (x, y, 1, x * y % P)


def point_encode(point):
    x, y, z, _ = point
    inverse = pow(z, P - 2, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def multiples(point):
    """0 to 15 times a point."""
    table = [IDENTITY]
    for _ in range(15):
        table.append(point_add(table[-1], point))
    return table


BASE = point_decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
TABLES = {"base": multiples(BASE)}


def is_small_order(public_key):
    """Whether eight times the point is the identity: signatures under such a key can be made without any secret."""
    point = point_decode(public_key)
    if point is None:
        return False
    for _ in range(3):
        point = point_double(point)
    return point[0] % P == 0 and (point[1] - point[2]) % P == 0


def verify_ed25519(public_key, message, signature):
    """[S]B = R + [h]A without cofactor, compared as bytes; S beyond the group order is refused."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    scalar = int.from_bytes(signature[32:], "little")
    if scalar >= L:
        return False
    if public_key not in TABLES:
        point = point_decode(public_key)
        x, y, z, t = point if point else IDENTITY
        # The negative point, for R = [S]B - [h]A.
        TABLES[public_key] = multiples((-x % P, y, z, -t % P)) if point else None
    if TABLES[public_key] is None:
        return False
    hashed = hashlib.sha512(signature[:32] + public_key + message).digest()
    factor = int.from_bytes(hashed, "little") % L
    base, negative = TABLES["base"], TABLES[public_key]
    result = IDENTITY
    for shift in range(252, -4, -4):
        for _ in range(4):
            result = point_double(result)
        result = point_add(result, base[scalar >> shift & 15])
        result = point_add(result, negative[factor >> shift & 15])
    return hmac.compare_digest(point_encode(result), signature[:32])


# ---------------------------------------------------------------------------------------------------------------------
# Signed notes, verifier keys, checkpoints, cosignatures (C2SP)
# ---------------------------------------------------------------------------------------------------------------------

LOG_KEY, WITNESS_KEY = 1, 4
NAME_REFUSED = re.compile("[+\x00-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
NOTE_REFUSED = re.compile("[\x00-\x09\x0b-\x1f]")


def strict_base64(encoded):
    """Standard alphabet with padding and no spare bits, or ValueError."""
    octets = base64.b64decode(encoded.encode("ascii"), validate=True)
    if base64.b64encode(octets).decode("ascii") != encoded:
        raise ValueError("base64 in an unusual form")
    return octets


def is_key_name(name):
    return name != "" and not NAME_REFUSED.search(name)


class SignatureLine:
    """`— <name> <base64 of 4 bytes key id and the signature>`"""

    def __init__(self, line):
        if not line.startswith("\u2014 "):
            raise ValueError("a signature line that does not start with a dash")
        fields = line[2:].split(" ")
        if len(fields) != 2 or not is_key_name(fields[0]):
            raise ValueError("a signature line without name and signature")
        octets = strict_base64(fields[1])
        if len(octets) < 5:
            raise ValueError("a signature line without signature")
        self.name = fields[0]
        self.key_id = octets[:4]
        self.signature = octets[4:]


class Checkpoint:
    """A signed note whose text is `origin LF size LF root LF`, and perhaps extension lines."""

    def __init__(self, note):
        end = note.rfind("\n\n")
        if end < 0 or not note.endswith("\n") or end + 2 == len(note):
            raise ValueError("a note without text or signatures")
        if NOTE_REFUSED.search(note):
            raise ValueError("a note with control characters")
        lines = note[end + 2 : -1].split("\n")
        if len(lines) > NOTE_SIGNATURES_MAX:
            raise ValueError("a note with too many signatures")
        self.text = note[: end + 1]
        self.signatures = [SignatureLine(line) for line in lines]
        fields = self.text[:-1].split("\n")
        if len(fields) < 3 or "" in fields[3:] or fields[0] == "":
            raise ValueError("a checkpoint without origin, size or root, or with an empty line")
        # 2^64 - 1 has 20 digits.
        if len(fields[1]) > 20 or not DECIMAL.fullmatch(fields[1]) or int(fields[1]) >= 2**64:
            raise ValueError("a checkpoint whose size is not a number")
        self.origin = fields[0]
        self.size = int(fields[1])
        self.root = strict_base64(fields[2])
        if len(self.root) != 32:
            raise ValueError("a checkpoint whose root is not 32 bytes")


class VerifierKey:
    """`<name>+<8 hex digits of the key id>+<base64 of type byte and public key>`"""

    def __init__(self, vkey):
        fields = vkey.split("+", 2)
        if len(fields) != 3 or not is_key_name(fields[0]) or not re.fullmatch("[0-9a-f]{8}", fields[1]):
            raise ValueError("not of the form name+id+key")
        octets = strict_base64(fields[2])
        if octets[:1] not in (bytes([LOG_KEY]), bytes([WITNESS_KEY])):
            raise ValueError("a key of type %s; only 01 and 04 are known here" % (octets[:1].hex() or "(none)"))
        if len(octets) != 33:
            raise ValueError("not 32 bytes of key")
        self.name = fields[0]
        self.key_id = hashlib.sha256(self.name.encode("utf-8") + b"\n" + octets).digest()[:4]
        if self.key_id.hex() != fields[1]:
            raise ValueError("the id is not the one of this name and key")
        self.kind = octets[0]
        self.public_key = octets[1:]
        # Verifying is slow, and anybody can write a good line, or a whole checkpoint, a thousand times.
        self.verdicts = {}
        if is_small_order(self.public_key):
            raise ValueError("a key of small order, under which anybody can sign")

    def verifies(self, checkpoint, line):
        place = (checkpoint.text, line.signature)
        if place not in self.verdicts:
            self.verdicts[place] = self.is_signed(checkpoint, line)
        return self.verdicts[place]

    def is_signed(self, checkpoint, line):
        if self.kind == LOG_KEY:
            return verify_ed25519(self.public_key, checkpoint.text.encode("utf-8"), line.signature)
        if len(line.signature) != 72:
            return False
        seconds = int.from_bytes(line.signature[:8], "big")
        if seconds > INTEGER_MAX:
            return False
        message = "cosignature/v1\ntime %d\n%s" % (seconds, checkpoint.text)
        return verify_ed25519(self.public_key, message.encode("utf-8"), line.signature[8:])


class Point:
    """An anchor or a witnessed head: what a checkpoint says about the ledger up to one sealed row."""

    def __init__(self, line):
        self.line = line
        self.kind = line["kind"]
        self.seq = line["seq"]
        self.order = (self.seq, self.kind, utf16(line["note"]))
        try:
            self.checkpoint = Checkpoint(line["note"])
        except ValueError as error:
            raise Unreadable("the note of the %s at seq %d is %s" % (self.kind, self.seq, reason(error))) from None

    def fits(self, state, origin):
        """`state` is (link, number of sealed rows, root) after the row at `seq`; None when that row is not sealed."""
        if state is None or origin is None:
            return False
        link, size, root = state
        return (
            same(self.line["hash"], link)
            and self.line["size"] == size == self.checkpoint.size
            and self.checkpoint.root == root
            and self.checkpoint.origin == origin
        )


def reason(error):
    """What a ValueError of this program says; those of the library (UTF-8, JSON, base64) are put in plain words."""
    if isinstance(error, UnicodeError):
        return "text that is not UTF-8" if isinstance(error, UnicodeDecodeError) else "not plain ASCII"
    if isinstance(error, json.JSONDecodeError):
        return "not JSON: %s at character %d" % (error.msg, error.pos)
    return str(error)


# ---------------------------------------------------------------------------------------------------------------------
# Reading the file: header, points, rows, trailer, in this order and flat in memory
# ---------------------------------------------------------------------------------------------------------------------


class Export:
    """`header` and `points` are there at once; `rows()` yields the rows and then `trailer` is there (None: missing)."""

    def __init__(self, header, points):
        self.header = header
        self.points = points
        self.trailer = None
        for kind in POINT_KINDS:
            if sum(point.kind == kind for point in points) > POINTS_MAX:
                raise Unreadable("there are more than %d lines of kind %s" % (POINTS_MAX, kind))
        for before, after in zip(points, points[1:]):
            if after.order < before.order:
                raise Unreadable("anchors and witnessed heads are not in the order of seq, kind and note")


def open_export(stream, progress):
    first = stream.readline(LINE_BYTES_MAX + 1)
    if len(first.rstrip(b"\n")) <= LINE_BYTES_MAX:
        try:
            value = read_json(first)
        except ValueError:
            value = None
        if type(value) is dict and value.get("kind") == "header":
            LINES["header"](value, "line 1")
            return LinesExport(value, Lines(stream, len(first), progress))
    octets = first + stream.read(DOCUMENT_BYTES_MAX + 1 - len(first))
    if len(octets) > DOCUMENT_BYTES_MAX:
        raise Unreadable("line 1 is no header, and the file is too large for one document")
    try:
        value = read_json(octets)
    except ValueError as error:
        raise Unreadable("line 1 is no header, and the file is no document: %s" % reason(error)) from None
    return DocumentExport(value, len(octets), progress)


class Lines:
    """Lines 2 and following, each checked: (number, kind, value) with kind "row" for rows."""

    def __init__(self, stream, offset, progress):
        self.stream = stream
        self.offset = offset
        self.progress = progress
        self.number = 1

    def __iter__(self):
        return self

    def __next__(self):
        octets = self.stream.readline(LINE_BYTES_MAX + 2)
        if not octets:
            raise StopIteration
        self.number += 1
        self.offset += len(octets)
        if self.number % 2048 == 0:
            self.progress.show(self.offset)
        path = "line %d" % self.number
        if len(octets) - octets.endswith(b"\n") > LINE_BYTES_MAX:
            raise Unreadable("%s is longer than %d bytes" % (path, LINE_BYTES_MAX))
        try:
            value = read_json(octets)
        except ValueError as error:
            raise Unreadable("%s is %s" % (path, reason(error))) from None
        if type(value) is not dict or "kind" not in value:
            ROW(value, path)
            return "row", value
        kind = value["kind"]
        if type(kind) is not str or kind not in LINES:
            raise Unreadable("%s is of an unknown kind" % path)
        LINES[kind](value, path)
        return kind, value

    def out_of_order(self, kind):
        return Unreadable("line %d: a line of kind %s does not belong here" % (self.number, kind))


class LinesExport(Export):
    def __init__(self, header, lines):
        self.lines = lines
        self.following = next(lines, None)
        points = []
        while self.following and self.following[0] in POINT_KINDS:
            points.append(Point(self.following[1]))
            # Not more of what is refused anyway.
            if len(points) > 2 * POINTS_MAX or len(points) > 1 and points[-1].order < points[-2].order:
                break
            self.following = next(lines, None)
        super().__init__(header, points)

    def rows(self):
        while self.following:
            kind, value = self.following
            if kind == "row" and self.trailer is None:
                yield value
            elif kind == "trailer" and self.trailer is None:
                self.trailer = value
            else:
                raise self.lines.out_of_order(kind)
            self.following = next(self.lines, None)


class DocumentExport(Export):
    def __init__(self, document, size, progress):
        DOCUMENT(document, "the document")
        self.document = document
        self.size = size
        self.progress = progress
        header = {name: document[name] for name in HEADER_MEMBERS}
        points = []
        for kind, name in (("anchor", "anchors"), ("witnessed_head", "witnessed_heads")):
            listed = [Point(dict(line, kind=kind)) for line in document[name]]
            for before, after in zip(listed, listed[1:]):
                if after.order < before.order:
                    raise Unreadable("%s are not in the order of seq and note" % name)
            points.extend(listed)
        super().__init__(dict(header, kind="header"), sorted(points, key=lambda point: point.order))

    def rows(self):
        rows = self.document["rows"]
        for index, row in enumerate(rows):
            if index % 2048 == 0:
                self.progress.show(self.size * index // len(rows))
            yield row
        self.trailer = self.document["trailer"]


# ---------------------------------------------------------------------------------------------------------------------
# The verification
# ---------------------------------------------------------------------------------------------------------------------


class Verification:
    """Reads an export once. `break_found` is its first break or None; the other members say what was accepted."""

    def __init__(self, export, options):
        self.export = export
        self.header = export.header
        self.tenant = self.header["tenant_id"]
        self.options = options
        self.secrets = options.secrets_for(self.header["sealing"]["kids"])
        self.listed_kids = frozenset(self.header["sealing"]["kids"])
        self.tree = Tree()
        self.last_seq = -1
        self.last_link = None
        self.unsealed = 0
        self.sealing = False
        self.since_seq = None
        self.kids = set()
        self.unchecked_rows = 0
        self.unchecked_kids = set()
        self.states = {}
        self.wanted = {point.seq for point in export.points}
        self.expected_found = False
        self.witnesses = []
        self.signed_keys = set()
        self.digest = hashlib.sha256()
        self.break_found = None
        for value in [self.header] + [point.line for point in export.points]:
            self.add_to_digest(value)

    def run(self):
        try:
            for row in self.export.rows():
                self.accept(row)
            for check in END_CHECKS:
                check(self)
        except Break as found:
            self.break_found = found
        return self

    def add_to_digest(self, value):
        self.digest.update(canonical(value).encode("utf-8") + b"\n")

    # Rows

    def accept(self, row):
        seq = row["seq"]
        if seq > self.header["head"]["seq"]:
            raise Break("extra_rows", seq)
        if seq != self.last_seq + 1:
            raise Break("sequence_gap" if seq > self.last_seq else "sequence_duplicate", seq)
        entry = entry_of(row["body"], seq)
        declared = None if entry is None else declared_sealing(entry)
        # The entry that switches sealing on is the first sealed one, the entry that switches it off the last.
        link = self.sealed_link(row) if self.sealing or declared else self.unsealed_link(row)
        if entry is None:
            raise Break("canonical_form", seq)
        checked = link is None or self.check_mac(row)
        self.last_seq = seq
        if declared is not None:
            self.since_seq = None if not declared else self.since_seq if self.sealing else seq
            self.sealing = declared
        if link is None:
            self.unsealed += 1
            self.add_to_digest(row)
            return
        self.last_link = link
        self.tree.push(bytes.fromhex(link))
        self.kids.add(row["kid"])
        if not checked:
            self.unchecked_rows += 1
            self.unchecked_kids.add(row["kid"])
        if seq in self.wanted:
            self.states[seq] = (link, self.tree.size, self.tree.root())
        if self.options.expected_hash is not None and self.options.expected_seq in (None, seq):
            self.expected_found = self.expected_found or same(self.options.expected_hash, link)

    def unsealed_link(self, row):
        if any(row[member] is not None for member in ("kid", "prev", "mac", "link")):
            raise Break("link_hash", row["seq"])
        return None

    def sealed_link(self, row):
        seq, kid, prev, mac, link = (row[member] for member in ("seq", "kid", "prev", "mac", "link"))
        if prev is None or not same(prev, self.last_link or GENESIS):
            raise Break("previous_link", seq)
        if kid is None or mac is None or link is None:
            raise Break("link_hash", seq)
        if not (KID.fullmatch(kid) and DIGEST.fullmatch(mac) and DIGEST.fullmatch(link)):
            raise Break("link_hash", seq)
        computed = link_of(self.tenant, row)
        if not same(link, computed):
            raise Break("link_hash", seq)
        return computed

    def check_mac(self, row):
        """Whether the mac was checked: its secret is known, or no secrets were given at all."""
        if row["kid"] not in self.listed_kids:
            raise Break("key_unknown", row["seq"])
        if self.secrets is None:
            return False
        secret = self.secrets.get(row["kid"])
        if secret is None:
            return False
        if not same(row["mac"], mac_of(self.tenant, row, secret)):
            raise Break("signature", row["seq"])
        return True

    # The end, in this order (END_CHECKS)

    def check_length(self):
        needed = [self.header["head"]["seq"], self.options.expected_seq or 0] + list(self.wanted)
        if self.export.trailer is None or self.last_seq < max(needed):
            raise Break("truncated", self.last_seq + 1)

    def check_statements(self):
        head = {"seq": self.last_seq, "hash": self.last_link}
        counts = {"sealed": self.tree.size, "unsealed": self.unsealed}
        sealing = self.header["sealing"]
        statements = (
            all(part["head"] == head and part["counts"] == counts for part in (self.header, self.export.trailer)),
            sealing["enabled"] == self.sealing,
            sealing["since_seq"] == self.since_seq,
            set(sealing["kids"]) == self.kids,
        )
        if not all(statements):
            raise Break("head_mismatch", self.header["head"]["seq"])

    def check_points(self):
        for kind, code in zip(POINT_KINDS, ("anchor_mismatch", "witness_mismatch")):
            for point in self.export.points:
                if point.kind == kind and not point.fits(self.states.get(point.seq), self.header["origin"]):
                    raise Break(code, point.seq)

    def check_digest(self):
        if not same(self.export.trailer["digest"], self.digest.hexdigest()):
            raise Break("digest_mismatch", self.header["head"]["seq"])

    def check_expected_head(self):
        if self.options.expected_hash is not None and not self.expected_found:
            given = self.options.expected_seq
            raise Break("expected_head_mismatch", self.last_seq if given is None else given)

    def check_log(self):
        """A witness knows a log by its name alone and signs every log honestly: the name must come from outside."""
        logs = {key.name for key in (self.options.keys or {}).values() if key.kind == LOG_KEY}
        if not logs:
            return
        origin = self.header["origin"]
        if origin not in logs:
            raise Break("checkpoint_signature", self.header["head"]["seq"])
        for point in self.export.points:
            if origin not in (name for name, _ in self.signers_of(point, LOG_KEY, "checkpoint_signature")):
                raise Break("checkpoint_signature", point.seq)

    def check_witnesses(self):
        if self.options.keys is None:
            return
        signers = {}
        for point in self.export.points:
            found = self.signers_of(point, WITNESS_KEY, "witness_signature")
            if point.kind == "witnessed_head":
                # The last one is the newest.
                signers = found
        self.witnesses = [name for name, _ in signers]
        self.signed_keys = set(signers.values())
        # One key under two names is one witness: what it signs does not hold its name.
        if len(self.signed_keys) < self.options.quorum:
            newest = self.newest_witnessed_head()
            raise Break("cosignature_quorum", newest.seq if newest else self.header["head"]["seq"])

    def signers_of(self, point, kind, code):
        """(name, key id) -> public key: the given keys of a kind that signed a checkpoint, in the order of its lines."""
        signers = {}
        for line in point.checkpoint.signatures:
            key = self.options.keys.get((line.name, line.key_id))
            if key is None or key.kind != kind:
                continue
            if not key.verifies(point.checkpoint, line):
                raise Break(code, point.seq)
            signers.setdefault((line.name, line.key_id), key.public_key)
        return signers

    def check_demands(self):
        if self.options.require_sealed and self.tree.size == 0:
            raise Break("not_sealed", self.header["head"]["seq"])
        if self.options.require_signatures and self.signatures() != "verified" and self.tree.size > 0:
            raise Break("signatures_unverifiable", self.header["head"]["seq"])

    # What is told

    def advice(self):
        """What to do about the break. Of the first two nothing was found wrong with the file: something is missing."""
        if self.break_found.code == "signatures_unverifiable":
            kids = ", ".join(sorted(self.unchecked_kids))
            return "No secret was given for %s: ask for these auditor's keys (--hmac-secret-file)." % kids
        if self.break_found.code == "cosignature_quorum":
            given, signed = self.options.witness_keys(), self.signed_keys
            listed = [key for key in self.options.keys.values() if key.kind == WITNESS_KEY]
            missing = list(dict.fromkeys(key.name for key in listed if key.public_key not in signed))
            return "%d of %d keys given signed it, %d are asked for; missing: %s. %s" % (
                *(len(signed), len(given), self.options.quorum, ", ".join(missing) or "none"),
                "Ask why the missing did not sign: they may be away, or a later head has them."
                if given
                else "Give keys of witnesses with --witness-keys.",
            )
        return "Treat this as an irregularity: export again and compare the two files."

    def newest_witnessed_head(self):
        heads = [point for point in self.export.points if point.kind == "witnessed_head"]
        return heads[-1] if heads else None

    def signatures(self):
        if self.secrets is None:
            return "skipped"
        return "unverifiable" if self.unchecked_rows else "verified"

    def unwitnessed_since(self):
        newest = self.newest_witnessed_head()
        if newest is None:
            return 0
        return newest.seq + 1 if newest.seq < self.last_seq else None

    def answer(self):
        skipped = self.secrets is None
        found = self.break_found
        own = self.header["self_witnesses"]
        return {
            "result": "broken" if found else "verified",
            "break": found.code if found else None,
            "seq": found.seq if found else None,
            "origin": self.header["origin"],
            "entries": self.tree.size + self.unsealed,
            "sealed": self.tree.size,
            "unsealed": self.unsealed,
            "head": None if self.last_seq < 0 else {"seq": self.last_seq, "hash": self.last_link},
            "tree": {"size": self.tree.size, "root": self.tree.root().hex()} if self.tree.size else None,
            "signatures": self.signatures(),
            "unverifiable": {
                "rows": 0 if skipped else self.unchecked_rows,
                "kids": [] if skipped else sorted(self.unchecked_kids),
            },
            "witnesses": [{"name": name, "self": name in own} for name in self.witnesses],
            "unwitnessed_since_seq": self.unwitnessed_since(),
        }


END_CHECKS = (
    Verification.check_length,
    Verification.check_statements,
    Verification.check_points,
    Verification.check_digest,
    Verification.check_expected_head,
    Verification.check_log,
    Verification.check_witnesses,
    Verification.check_demands,
)

UNREADABLE_ANSWER = {
    "result": "unreadable",
    "break": None,
    "seq": None,
    "origin": None,
    "entries": 0,
    "sealed": 0,
    "unsealed": 0,
    "head": None,
    "tree": None,
    "signatures": "skipped",
    "unverifiable": {"rows": 0, "kids": []},
    "witnesses": [],
    "unwitnessed_since_seq": None,
}


# ---------------------------------------------------------------------------------------------------------------------
# Options
# ---------------------------------------------------------------------------------------------------------------------


class Once(argparse.Action):
    """An option given twice is a mistake, and the last one must not win silently."""

    def __call__(self, parser, namespace, values, option_string=None):
        if getattr(namespace, self.dest) is not None:
            parser.error("%s stands twice" % option_string)
        setattr(namespace, self.dest, True if self.nargs == 0 else values)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Unusable("%s (--help tells the options)" % message)


def parser():
    usage = Parser(
        prog="verify_ledger.py",
        description="Verifies an export of a commerce ledger, without network and without database.",
        epilog="Exit 0: verified. Exit 1: the first break is named. Exit 2: not a readable export, or unusable options.",
        allow_abbrev=False,
    )
    usage.add_argument("file", metavar="FILE", help="the export: JSON Lines or one JSON document")
    value, switch = dict(action=Once), dict(action=Once, nargs=0)
    usage.add_argument("--expected-head", metavar="[SEQ:]HASH", help="a head you kept: the ledger must hold it", **value)
    usage.add_argument("--hmac-secret-file", metavar="FILE", help="ledger keys: checks the row signatures", **value)
    usage.add_argument("--witness-keys", metavar="FILE", help="keys you trust: checks checkpoints and heads", **value)
    usage.add_argument("--witness-quorum", metavar="N", help="how many witnesses must have signed (1)", **value)
    usage.add_argument("--require-sealed", help="a ledger without a sealed row is a break", **switch)
    usage.add_argument("--require-signatures", help="a row signature left unchecked is a break", **switch)
    usage.add_argument("--json", help="print one line of JSON", **switch)
    usage.add_argument("--no-progress", help="no progress bar, not even on a terminal", **switch)
    return usage


class Options:
    """The options, with the files they name already read."""

    def __init__(self, arguments):
        given = parser().parse_args(arguments)
        self.file = given.file
        self.json = bool(given.json)
        self.no_progress = bool(given.no_progress)
        self.require_sealed = bool(given.require_sealed)
        self.require_signatures = bool(given.require_signatures)
        self.names = sorted(
            "--" + name.replace("_", "-")
            for name, value in vars(given).items()
            if value is not None and name not in ("file", "json", "no_progress")
        )
        self.expected_seq, self.expected_hash = expected_head(given.expected_head)
        self.quorum = quorum(given.witness_quorum)
        if given.witness_quorum is not None and given.witness_keys is None:
            raise Unusable("--witness-quorum needs --witness-keys")
        self.secrets, self.only_secret = None, None
        if given.hmac_secret_file is not None:
            self.secrets, self.only_secret = read_secrets(given.hmac_secret_file)
        self.keys = None if given.witness_keys is None else read_keys(given.witness_keys)
        if given.witness_quorum is not None and self.quorum > len(self.witness_keys()):
            raise Unusable(
                "--witness-quorum %d asks for more than the %d different witness %s given"
                % (self.quorum, len(self.witness_keys()), "key" if len(self.witness_keys()) == 1 else "keys")
            )

    def witness_keys(self):
        """The different keys of witnesses: one key under two names is one."""
        return {key.public_key for key in (self.keys or {}).values() if key.kind == WITNESS_KEY}

    def secrets_for(self, kids):
        """kid -> secret, None when no file was given."""
        if self.only_secret is None:
            return self.secrets
        if len(set(kids)) != 1:
            raise Unusable("the secret file names no kid, and the header lists %d: say which" % len(set(kids)))
        return {kids[0]: self.only_secret}


def expected_head(given):
    if given is None:
        return None, None
    seq, colon, digest = given.rpartition(":")
    if not DIGEST.fullmatch(digest) or (colon and not (DECIMAL.fullmatch(seq) and len(seq) <= 16)):
        raise Unusable("--expected-head is <hash> or <seq>:<hash>, the hash in 64 lower case hex digits")
    if colon and int(seq) > INTEGER_MAX:
        raise Unusable("--expected-head names a seq that no ledger has")
    return (int(seq) if colon else None), digest


def quorum(given):
    if given is None:
        return 1
    if not re.fullmatch("[1-9][0-9]{0,8}", given):
        raise Unusable("--witness-quorum is a number of 1 or more")
    return int(given)


def why_not_read(path, error):
    if isinstance(error, FileNotFoundError):
        return "there is no file %s" % path
    return "%s cannot be read (%s)" % (path, errno.errorcode.get(getattr(error, "errno", None), type(error).__name__))


def option_lines(path, option):
    """Lines of a small text file without comments and blank lines, as (number, line)."""
    try:
        with open(path, "rb") as stream:
            octets = stream.read(LINE_BYTES_MAX + 1)
    except (OSError, ValueError) as error:
        raise Unusable("%s: %s" % (option, why_not_read(path, error))) from None
    if len(octets) > LINE_BYTES_MAX:
        raise Unusable("the file of %s is too large" % option)
    try:
        lines = octets.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise Unusable("the file of %s is not UTF-8" % option) from None
    stripped = ((number, line.strip(" \t\r")) for number, line in enumerate(lines, 1))
    found = [(number, line) for number, line in stripped if line and not line.startswith("#")]
    if not found:
        raise Unusable("the file of %s holds no key" % option)
    return found


def read_secrets(path):
    """(kid -> secret, None), or ({}, secret) when the file is one secret without kid. Messages never hold a secret."""
    lines = option_lines(path, "--hmac-secret-file")
    if len(lines) == 1 and SECRET.fullmatch(lines[0][1]):
        return {}, bytes.fromhex(lines[0][1])
    secrets = {}
    for number, line in lines:
        match = SECRET_LINE.fullmatch(line)
        if not match or match.group(1) in secrets:
            what = "names a kid twice" if match else "is not `<kid> <64 hex digits>`"
            raise Unusable("line %d of the file of --hmac-secret-file %s" % (number, what))
        secrets[match.group(1)] = bytes.fromhex(match.group(2))
    return secrets, None


def read_keys(path):
    """(name, key id) -> key"""
    keys = {}
    for number, line in option_lines(path, "--witness-keys"):
        try:
            key = VerifierKey(line)
        except ValueError as error:
            raise Unusable("line %d of the file of --witness-keys: %s" % (number, reason(error))) from None
        if (key.name, key.key_id) in keys:
            raise Unusable("line %d of the file of --witness-keys repeats a key" % number)
        keys[(key.name, key.key_id)] = key
    return keys


# ---------------------------------------------------------------------------------------------------------------------
# Telling it
# ---------------------------------------------------------------------------------------------------------------------


class Progress:
    """A bar on standard error, only when that is a terminal."""

    def __init__(self, total, stream, wanted):
        self.total = total
        self.stream = stream
        self.on = wanted and stream is not None and stream.isatty()
        self.shown_at = time.monotonic()
        self.drawn = False

    def show(self, done):
        now = time.monotonic()
        if not self.on or now - self.shown_at < 0.2:
            return
        self.shown_at = now
        self.drawn = True
        part = min(1.0, done / self.total) if self.total else 0.0
        bar = ("#" * int(part * 40)).ljust(40, ".")
        self.stream.write("\r[%s] %3d %%  %d MB" % (bar, part * 100, done // 1000000))
        self.stream.flush()

    def clear(self):
        if self.drawn:
            self.stream.write("\r" + " " * 72 + "\r")
            self.stream.flush()


def visible(line):
    """Names come out of the file: nothing in them may command a terminal."""
    return "".join(c if c.isprintable() else "\\u%04x" % ord(c) for c in line)


def lines_of(answer, verification):
    """The answer for people."""
    log = "log: %s" % ("none" if answer["origin"] is None else answer["origin"])
    if answer["result"] == "broken":
        told = [
            "%s at seq %d" % (answer["break"], answer["seq"]),
            "Meaning: %s. %s" % (MEANINGS[answer["break"]], verification.advice()),
        ]
        return told + [log] if answer["break"] == "checkpoint_signature" else told
    header, options = verification.header, verification.options
    lines = [
        "verified: %d entries of %s, %d sealed and %d unsealed"
        % (answer["entries"], header["tenant_id"], answer["sealed"], answer["unsealed"]),
        log,
    ]
    if answer["sealed"] == 0:
        lines.append("nothing is chained: no row is sealed, so this file proves nothing about its rows")
    else:
        lines.append("head: %d:%s (last seq and last link)" % (answer["head"]["seq"], answer["head"]["hash"]))
        lines.append("tree: %d links, root %s" % (answer["tree"]["size"], answer["tree"]["root"]))
    if answer["signatures"] == "unverifiable":
        left = answer["unverifiable"]
        lines.append("signatures: unverifiable (%d rows, key ids %s)" % (left["rows"], ", ".join(left["kids"])))
    else:
        lines.append("signatures: %s" % answer["signatures"])
    heads = sum(point.kind == "witnessed_head" for point in verification.export.points)
    anchors = len(verification.export.points) - heads
    keys = "their signatures checked" if options.keys is not None else "their signatures not checked (no keys given)"
    lines.append("anchors: %d, witnessed heads: %d, %s" % (anchors, heads, keys))
    if options.keys is not None and all(key.kind != LOG_KEY for key in options.keys.values()):
        lines.append("no key of the log was given: another log of the same operator would pass")
    if answer["witnesses"]:
        names = ["%s%s" % (one["name"], " (self)" if one["self"] else "") for one in answer["witnesses"]]
        lines.append("witnesses of the newest head: %s" % ", ".join(names))
    if answer["unwitnessed_since_seq"] is not None:
        lines.append("not witnessed since seq %d" % answer["unwitnessed_since_seq"])
    lines.append("options used: %s" % (", ".join(options.names) or "none"))
    return lines


def write(stream, lines):
    encoding = getattr(stream, "encoding", None) or "ascii"
    for line in lines:
        stream.write(visible(line).encode(encoding, "backslashreplace").decode(encoding) + "\n")
    stream.flush()


def verify_file(options, errors):
    try:
        stream = open(options.file, "rb")
    except (OSError, ValueError) as error:
        raise Unusable(why_not_read(options.file, error)) from None
    with stream:
        progress = Progress(os.fstat(stream.fileno()).st_size, errors, not options.no_progress)
        try:
            return Verification(open_export(stream, progress), options).run()
        except OSError as error:
            raise Unusable(why_not_read(options.file, error)) from None
        finally:
            progress.clear()


def main(arguments, output, errors):
    """Verifies, tells the answer on `output`, returns the exit code."""
    if "--help" in arguments or "-h" in arguments:
        write(output, parser().format_help().rstrip("\n").split("\n"))
        # Nothing was verified, and 0 would say so, also to a script which was handed a file of this name.
        return UNREADABLE
    as_json = "--json" in arguments
    try:
        options = Options(arguments)
        verification = verify_file(options, errors)
        answer = verification.answer()
        code = BROKEN if verification.break_found else VERIFIED
        lines = lines_of(answer, verification)
    except Unreadable as error:
        answer, code, lines = UNREADABLE_ANSWER, UNREADABLE, ["not a readable export: %s" % error]
    except Unusable as error:
        answer, code, lines = UNREADABLE_ANSWER, UNREADABLE, [str(error)]
    except (Exception, KeyboardInterrupt) as error:
        # A fault of this program or of the machine is never "verified", nor a break. Only its name is told.
        answer, code, lines = UNREADABLE_ANSWER, UNREADABLE, ["not verified: %s" % type(error).__name__]
    if as_json:
        lines = [json.dumps(dict(answer, message=visible("; ".join(lines))), separators=(",", ":"))]
    write(output, lines)
    return code


if __name__ == "__main__":
    try:
        exit_code = main(sys.argv[1:], sys.stdout, sys.stderr)
    except (Exception, KeyboardInterrupt):
        # Nobody reads the answer (a closed pipe, a full disk): then it was not given.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        exit_code = UNREADABLE
    sys.exit(exit_code)
