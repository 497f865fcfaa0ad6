export const REQUEST_SIGNATURES = Symbol('RequestSignatures');
export const SIGNATURE_GUARD = Symbol('SignatureGuard');
export const SIGNATURE_NOTES = Symbol('SignatureNotes');
