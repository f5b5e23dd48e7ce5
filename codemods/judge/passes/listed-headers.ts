/** What is told of headers in lists, once all files are known. */
import { v1Auth } from '../../../src/contract/auth.ts';
import { passingCallsOn } from '../../clients/servers/frameworks.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Finding } from '../../model.ts';
import type { FoundFile } from '../../find/walk.ts';
import { memo } from '../../once.ts';
import { packageFolders } from '../../find/packages/package-folders.ts';
import { isCodeOrPage } from '../../find/kinds.ts';

const reading = new RegExp(
  String.raw`(?<![.\w$])(?:req|request|ctx|context|c|event|headers)\b[\w.?!]*(?:(?:\?\.)?\[\s*|\.(?:get|header|has|getHeader)\(\s*)['"\`]${v1Auth.field}['"\`]\s*[\])](?!\s*=(?!=))`,
  'i',
);
/** A gateway of AWS that asks for keys of its own, which arrive under this name: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-setup-api-keys.html */
const gateway = /(?:^|[\s{,"'])(?:private|[aA]piKeyRequired)["']?\s*:\s*true\b/;
const deployed = /(?:^|\/)(?:serverless|template|sam)[\w.-]*\.(?:ya?ml|json|[cm]?[jt]s)$/;

const isListed = ({ code, detail }: Finding): boolean => code === 'reads-header' && detail['how'] === 'listed';

/** What only matters where calls are on v2. */
export const isOfMoved = (finding: Finding): boolean =>
  finding.code === 'redacts-header' || isListed(finding) || (finding.code === 'reads-header' && finding.detail['how'] === 'traced');

/**
 * What lets the header through is about a key of the program's own where a server of the package reads that, or a gateway before it does. A file of data is looked at by itself, and as what code is
 * handed.
 * @param files all files, of which manifests say where packages begin
 * @param scripts the files of code that may hold the header
 */
export function withoutOwnLists(
  findings: readonly Finding[],
  files: readonly FoundFile[],
  scripts: readonly string[],
  textIn: (file: string) => string,
): readonly Finding[] {
  if (!findings.some((each) => isListed(each) || (isOfMoved(each) && !isCodeOrPage.test(each.file)))) return findings;
  const packageIn = packageFolders(files);
  const packageOf = memo((file: string): string => packageIn({ file }));
  const byPackage = Map.groupBy(scripts, packageOf);
  const deployments = Map.groupBy(
    files.flatMap(({ path }) => (deployed.test(path) ? path : [])),
    packageOf,
  );
  const isOwn = memo((folder: string): boolean => {
    const texts = (byPackage.get(folder) ?? []).filter((file) => !isTest({ file })).map(textIn);
    const isGateway = (deployments.get(folder) ?? []).some((file) => gateway.test(textIn(file)));
    return (isGateway || texts.some((text) => reading.test(text))) && !texts.some((text) => passingCallsOn.test(text));
  });
  const said = new Set<string>();
  return findings.filter((each) => {
    if (!isOfMoved(each)) return true;
    if (isListed(each) && isOwn(packageOf(each.file))) return false;
    return isCodeOrPage.test(each.file) || said.size < said.add(`${each.file} ${each.line}`).size;
  });
}
