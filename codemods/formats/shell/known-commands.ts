/** Commands of which it is known that they are no program of a service that asks for what it is given an address of. */

const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/);

/** What builds, starts, tests or deploys what stands in these files, and what runs other commands. */
const tools = new Set(
  wordsOf(`
    artillery blitz build-storybook bundle c8 cargo cdk celery concurrently craco crowdin cucumber cucumber-js docker docker-compose
    docusaurus dotenv dotenvx dotnet dumi eleventy encore env-cmd esbuild esno expo fastify firebase flask fly flyctl foreman
    forever formatjs go gradle gradlew graphql-codegen gridsome grunt gulp gunicorn hardhat helm heroku honcho ionic jasmine java just
    karma keystone kubectl lerna lingo.dev lingui lokalise2 make max medusa modern mvn mvnw netlify newman nf npm-run-all npm-run-all2 nx nyc overmind parcel
    perl php pipenv podman poetry poi prisma probot python python3 quasar rails react-native rescript roadhog rollup rsbuild
    rspack ruby run-p run-s rush rw sails sam serverless sls sst start-server-and-test start-storybook storybook strapi
    supervisord svelte-kit swc swc-node tap tape taro task testcafe truffle tsc tsc-watch tsup turbo umi uni uv uvicorn uvu vercel
    vinxi vite-node vue-cli-service wait-on waku wdio
  `),
);

/** What a shell knows itself, and what a machine has: it is set up, packed, moved and looked at by it. */
const utilities = new Set(
  wordsOf(`
    addgroup adduser alias ansible ansible-playbook apk apt apt-get awk aws az base64 basename bats bc bg biome break brew builtin
    bzip2 case cat cd changeset chgrp chmod chown clear cmp column comm command commitlint consul continue copyfiles corepack cp
    cpx cpy crontab curl cut date dd declare del-cli df diff dirname dnf do doctl done dpkg drizzle-kit du echo egrep elif else
    env envsubst esac eslint eval exit export expr false ffmpeg fg fgrep fi file find flock for free gcloud getent getopts gh git
    gpg grep groupadd gsutil gunzip gzip hash head hostname htop http-server husky id if in install ip jobs journalctl jq
    json-server kill kill-port killall knex knip kubectx let lint-staged live-server ln local logger ls lsof md5sum mkdir mkdirp
    mktemp mocha mongo mongodump mongorestore mongosh more mount msw mv mysql mysqladmin mysqldump nc ncp netcat netstat nginx
    nice node-dev nslookup nvm openssl oxfmt oxlint packer passwd patch patch-package pg_dump pg_isready pg_restore pgrep ping
    pino-pretty pip pip3 pkill playwright popd prettier printf ps psql publint pulumi pushd pwd read readarray readlink readonly
    realpath redis-cli renice return rimraf rm rmdir rsync scp screen sed select semantic-release seq sequelize serve service set
    sftp sha1sum sha256sum sha512sum shasum shellcheck shift shopt shuf shx skaffold sleep sort sort-package-json source split
    sqlite3 ssh standard stat strip stty stylelint su sudo sum sync sysctl systemctl tail tar tee terraform terragrunt test then
    tilt tmux tofu top touch tput tr trap tree true truncate tty type typedoc typeorm typeset ulimit umask umount unalias uname
    uniq unset until unzip uptime useradd usermod vault vi vim wait watch wc wget whereis which while who whoami xargs xxd yes yq
    yum zcat zip zypper
    actionlint bat borg certbot chronic codecov dos2unix doas duplicity fd gitleaks hadolint hurl iconv ionice iptables jo kind logrotate lz4 mail
    mailx minikube mlr msmtp mutt nft notify-send nproc numfmt od pandoc pigz rclone restic rg rlwrap semgrep sendmail shfmt snyk ss
    systemd-notify systemd-run trivy ts ufw uuidgen xz yamllint zstd
  `),
);

/** Tools of frameworks, under their scopes. */
const scopes =
  /^@(?:nestjs|angular|vue|redocly|biomejs|changesets|openapitools|graphql-codegen|sentry|vercel|cloudflare|prisma|storybook|swc|babel)\//;

export const isKnownCommand = (name: string): boolean => tools.has(name) || utilities.has(name) || scopes.test(name);
