/** What is asked of a run, and what it gives. Data only: `migrate.ts` makes it, `report/` puts it into words. */
import type { Call, Costs, Edit, Finding, Plan } from './model.ts';

/** What is changed together or not at all. */
export interface Group {
  readonly id: string;
  readonly calls: readonly Call[];
  readonly edits: readonly Edit[];
  /** The files that its edits change. */
  readonly files: readonly string[];
}

/** How far a run is. */
export interface Progress {
  readonly phase: 'scan' | 'analyse' | 'write';
  /** Files. */
  readonly done: number;
  /** 0 where it is not known yet. */
  readonly total: number;
  /** Components of the import graph: what is analysed as a whole. */
  readonly components?: { readonly done: number; readonly total: number };
  /** What was found out of files that were read, a question each, where that is known: how many it will be nobody knows. */
  readonly questions?: number;
  /** A file that is being worked on, where that is known. */
  readonly at?: string | undefined;
}

/** What became of a run that was killed while it wrote. */
export interface Recovery {
  /**
   * `pending` where nothing may be written: the next run that writes completes or undoes it. `put back` where none of the sets that it had begun could be
   * completed, and `parted` where some could.
   */
  readonly outcome: 'completed' | 'put back' | 'parted' | 'undone' | 'pending';
  /** Files that had their new text when it was killed. */
  readonly written: number;
  /** Files that it was to write. */
  readonly total: number;
  /** Files with their new text that have their old one again, as not all of their set could be written. */
  readonly restored: number;
}

export interface MigrateOptions {
  /** Files and folders, absolute or relative to `cwd`. */
  readonly paths: readonly string[];
  /** What places are named relative to. */
  readonly cwd: string;
  /** Base addresses of v1 without `/v1`: URLs, or `env:NAME` for an environment variable that holds one. Without any, candidates are looked for. */
  readonly v1Base: readonly string[];
  /** Base address of v2 without `/v2`; without it the host stays. */
  readonly v2Base?: string | undefined;
  /** Globs; only files that match one are looked at. */
  readonly include?: readonly string[] | undefined;
  /** Globs; files that match one are not looked at. */
  readonly exclude?: readonly string[] | undefined;
  /** Places `FILE:LINE` that may move along, as a comment `migrate-v2-allow` above them would say; relative to `cwd`, with `/`. */
  readonly allow?: readonly string[] | undefined;
  readonly jobs?: number | undefined;
  /** Leaves a comment where a person has to decide. */
  readonly todo?: boolean | undefined;
  /** Writes nothing. */
  readonly dryRun?: boolean | undefined;
  /** Writes even where git knows of changes that are not committed, or knows nothing of what would be changed. */
  readonly force?: boolean | undefined;
  /** Values of environment variables that are named by `env:NAME`; the process's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Asked once for each group of the plan before anything of it is written; a group that is refused is left alone. */
  readonly accept?: ((group: Group, plan: Plan) => boolean | Promise<boolean>) | undefined;
  /** Asked where git could not give back what is about to be changed, with the paths and why; without it the run stops there. */
  readonly confirm?: ((unversioned: readonly { readonly path: string; readonly reason: string }[]) => Promise<boolean>) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called where a run was killed while it wrote here, before this one looks at any file. */
  readonly onRecovery?: ((recovery: Recovery) => void) | undefined;
  /** Whether to evaluate in threads alone, so that the calling one stays free; by default where there is a `signal`, that it can be heard. */
  readonly background?: boolean | undefined;
  /** Whether each call says how it was proven; by default it does. In a large tree that is half of what a run finds, and few outputs show it. */
  readonly proofs?: boolean | undefined;
  /** Stops the run. While files are written, either none of them is changed then or all are; the result says which. */
  readonly signal?: AbortSignal | undefined;
}

export interface ChangedFile {
  /** Relative to the working directory, with `/`. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

export interface MigrateResult {
  readonly plan: Plan;
  /** What changed, or would change; without the groups that `accept` refused. */
  readonly changed: readonly ChangedFile[];
  /** The files that were written: none in a dry run. */
  readonly written: readonly string[];
  /** Files that could not be read, parsed or written. They do not stand among the plan's findings. */
  readonly failures: readonly Finding[];
  readonly files: {
    readonly walked: number;
    /** Those with a suspicious literal. */
    readonly candidates: number;
    /** Those whose text has the host of a given base, or the variable that holds one. */
    readonly naming: number;
    readonly parsed: number;
  };
  /** What took most. */
  readonly costs: Costs;
  readonly elapsedMs: number;
}
