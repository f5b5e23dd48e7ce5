/** Where a base comes from of which nothing is known: a client's own, which something else may have replaced before a request goes out, or a caller's variable. */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Finding } from '../../model.ts';
import type { Request } from '../../requests/requests.ts';

/** @returns its line, if that is another than that of the place which is told */
export function unknownBaseOf(
  { url: [first] = [] }: Request,
  { start }: { readonly start: number },
  module: SourceText,
): Finding['detail'] {
  const base = first !== undefined && 'unknownPart' in first ? first.unknownPart : undefined;
  if ((base?.type !== 'unknown' && base?.type !== 'env') || base.node === undefined || base.module === undefined) return {};
  const { line } = base.module.position(base.node.start);
  return base.module === module && module.position(start).line === line ? {} : { at: `${base.module.file}:${line}` };
}
