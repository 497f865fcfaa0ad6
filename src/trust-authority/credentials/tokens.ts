/** Injection tokens of what issues and confirms. */
export const ISSUER = Symbol('CredentialIssuer');
export const CREDENTIALS = Symbol('CredentialReader');
export const CONSENTS = Symbol('Consents');
export const MANDATES = Symbol('Mandates');
export const PASSPORTS = Symbol('Passports');
export const WITHDRAWALS = Symbol('Withdrawals');
export const COUNTERSIGNATURES = Symbol('Countersignatures');
export const WITNESS = Symbol('Witness');
