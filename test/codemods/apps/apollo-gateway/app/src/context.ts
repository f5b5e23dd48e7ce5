import { CampaignsAPI } from './datasources/campaigns.ts';
import { MessagingAPI } from './datasources/messaging.ts';
import { PaymentsAPI } from './datasources/payments.ts';

export interface Context {
  apiKey: string;
  dataSources: { messaging: MessagingAPI; campaigns: CampaignsAPI; payments: PaymentsAPI };
}

export const createContext = async (): Promise<Context> => {
  const apiKey = process.env.MESSAGING_API_KEY ?? '';
  return {
    apiKey,
    dataSources: { messaging: new MessagingAPI(apiKey), campaigns: new CampaignsAPI(), payments: new PaymentsAPI() },
  };
};
