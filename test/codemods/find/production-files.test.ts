import { expect, test } from 'vitest';
import { isOfProduction } from '../../../codemods/find/packages/production-files.ts';

test.each([
  '.env',
  'apps/web/.env',
  '.env.production',
  'deploy/prod.env',
  'docker-compose.yml',
  'docker-compose.prod.yml',
  'k8s/web.yaml',
  'charts/web/values.yaml',
  'wrangler.toml',
  'Dockerfile',
  'src/latest/app.json',
])('%s says what a variable is where the program runs', (file) => expect(isOfProduction(file)).toBe(true));

test.each([
  '.env.example',
  'env.sample',
  '.env.test',
  '.env.development',
  '.env.local',
  '.dev.vars',
  'web.dist.env',
  '.github/workflows/ci.yml',
  '.gitlab-ci.yml',
  '.circleci/config.yml',
  'azure-pipelines.yml',
  '.vscode/launch.json',
  'docker-compose.test.yml',
  'docker-compose.override.yml',
  'tests/compose.yml',
  'values-dev.yaml',
])('%s sets it for somebody else', (file) => expect(isOfProduction(file)).toBe(false));
