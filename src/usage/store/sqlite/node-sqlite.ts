/** Node's SQLite. Node 22 calls it experimental, on stderr, when it is loaded; what is used of it here is the same in Node 24, which does not. */
const { emitWarning } = process;
process.emitWarning = () => undefined;
export const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
process.emitWarning = emitWarning;
