/** What the keys of data files say about their values. */

/** Values that a shell runs. */
export const scriptKeys =
  /^(?:run|(?:before_|after_|pre_?|post_?)?scripts?|[a-z]*commands?|cmds?|bash|inlineScript|args|entrypoint|test|exec|healthcheck|install|build|deploy|[\w.-]+\.(?:ba)?sh)$/i;
/** Values that people read. */
export const proseKeys =
  /^(?:description|documentation|docs|comment|summary|title|notes?|homepage|bugs|\$schema|\$id|\$comment|externalDocs|message)$/i;
/** Values that say what a server lets through or writes down. */
export const serverKeys = /cors|allow|expos|redact|(?:^|[_-])log(?:s|ging)?(?:$|[_-])|log_?headers/i;
