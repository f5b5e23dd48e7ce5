/** What the exit code says, for every command. */
export const exitCodes = {
  done: { code: 0, meaning: 'nothing left to do, or done' },
  findings: { code: 1, meaning: 'findings: --check found v1 still in use' },
  remaining: { code: 2, meaning: 'done, but places remain that need a person; report --check: nobody can tell whether v1 is in use' },
  failed: { code: 3, meaning: 'some files or calls failed' },
  usage: { code: 4, meaning: 'wrong usage or configuration, or a guard stopped it' },
} as const;

/** The table that `--help` shows. */
export const exitCodesText = ['Exit codes:', ...Object.values(exitCodes).map(({ code, meaning }) => `  ${code}  ${meaning}`)].join('\n');
