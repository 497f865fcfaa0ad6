/** Injection tokens of the authority's parts. */

/** The permanent name: a string. */
export const ORIGIN = Symbol('Origin');
export const TENANTS = Symbol('AuthorityTenants');
export const STATUS_LISTS = Symbol('StatusLists');
export const OBJECTS = Symbol('AuthorityObjects');
export const REVOCATIONS = Symbol('AuthorityRevocations');
