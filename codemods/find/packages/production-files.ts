/** Which files say what a variable is where the program runs for its users, and not only for developers, tests and pipelines. */

/** What SAM and CloudFormation call what they deploy. */
const ofCloudFormation = /(?:^|\/)template\.(?:ya?ml|json)$/i;

/** `.env.example`: what people copy and change. */
export const isTemplate = (file: string): boolean =>
  !ofCloudFormation.test(file) && /(?:^|[./_-])(?:example|sample|template|dist|default)s?(?:[./_-]|$)/i.test(file);

const dotenv = /(?:^|\/)[\w.-]*\.env(?:\.[\w.-]+)?$|(?:^|\/)\.(?:env|dev\.vars)[\w.-]*$/i;
const ofProduction = /(?:^|\/)(?:\.env|\.env[._-](?:prod|production|live)|(?:prod|production|live)\.env)$/i;
const ofPipelines =
  /(?:^|\/)(?:\.github|\.circleci|\.buildkite|\.devcontainer|\.vscode|\.idea)\/|(?:^|\/)(?:\.gitlab-ci|\.travis|azure-pipelines|bitbucket-pipelines|appveyor)[\w.-]*\.ya?ml$|(?:^|\/)(?:Jenkinsfile[\w.-]*|[\w.-]+\.jenkinsfile)$/i;
const ofDevelopers = /(?:^|[./_-])(?:tests?|testing|ci|e2e|dev|development|local|override|specs?|fixtures?|mocks?)(?:[./_-]|$)/i;

/** @param file relative to the working directory, with `/` */
export const isOfProduction = (file: string): boolean =>
  dotenv.test(file) ? ofProduction.test(file) : !isTemplate(file) && !ofPipelines.test(file) && !ofDevelopers.test(file);

/** Whether it says what a variable is for tests or on a developer's machine; a job of a pipeline may as well be another program's. */
export const isOfTrial = (file: string): boolean => !ofPipelines.test(file) && ofDevelopers.test(file);

/** Whether it is of a developer's own machine alone: what is called `dev` or `test` may be deployed, with servers in front that nobody sees here. */
export const isOfDevelopment = (file: string): boolean => /(?:^|[./_-])(?:development|local)(?:[./_-]|$)/i.test(file);

/** What sets variables for an image, where no other says so: whoever runs the program without it, or sets them for a container, has others. */
export const isOfImage = (file: string): boolean => /(?:^|\/)(?:[\w-]+\.)?(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?$/i.test(file);
