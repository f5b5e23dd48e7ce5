import { ApiKeySourceType, Cors, RestApi, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';

export function createApi(scope: Construct): RestApi {
  const api = new RestApi(scope, 'Api', {
    apiKeySourceType: ApiKeySourceType.HEADER,
    defaultCorsPreflightOptions: { allowOrigins: Cors.ALL_ORIGINS, allowHeaders: ['Content-Type', 'X-Api-Key', 'Authorization'] },
  });
  api.root.resourceForPath('/v1/messages/send').addMethod('POST', undefined, { apiKeyRequired: true });
  new UsagePlan(scope, 'Plan', { apiStages: [{ stage: api.deploymentStage }] });
  return api;
}
