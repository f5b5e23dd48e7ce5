/** The shapes in which the sandbox can write the errors of v2; it holds how each is written. */
export const errorDialects = ['v1', 'nested', 'problem', 'text'] as const;
export type ErrorDialect = (typeof errorDialects)[number];
