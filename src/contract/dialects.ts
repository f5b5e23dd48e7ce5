/** Shapes in which v2 may write: none is shown (api.md §§4, 7), so the sandbox can speak the usual ones. It holds how each is written. */

/** Of errors. */
export const errorDialects = ['v1', 'nested', 'problem', 'text'] as const;
export type ErrorDialect = (typeof errorDialects)[number];

/** Of successes. */
export const successEnvelopes = ['v1', 'data', 'bare'] as const;
export type SuccessEnvelope = (typeof successEnvelopes)[number];
