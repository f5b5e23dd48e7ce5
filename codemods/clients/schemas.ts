/** Libraries by which code says of what form data is: each stands here by its name, and by what begins the schema of an object in it. */
const libraries = 'zod valibot yup superstruct @sinclair/typebox typebox joi io-ts arktype runtypes effect @effect/schema';

/** What a file names that has schemas of theirs. */
export const namesSchemas = new RegExp(
  String.raw`['"](?:npm:|jsr:@?)?(?:${libraries.replaceAll(' ', '|')})(?:@[\w.^~-]+)?(?:\/[\w-]+)?['"]`,
);

/** What is called for the schema of an object … */
export const makesSchema = /^(?:strict_?|loose_?)?(?:[oO]bject|shape|keys|type|Struct|Record)$/;
/** … and what begins one in a text. */
export const beginsSchema = /\b(?:object|shape|keys|type|struct|record)\(\s*\{/i;

/** Methods of one that give the values which it describes, or another schema. */
export const givesDescribed = /^(?:(?:safe)?[pP]arse(?:Async)?|strict|passthrough|loose|readonly|and|or|refine|superRefine|data)$/;
