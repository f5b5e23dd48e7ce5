import { type AugmentedRequest, RESTDataSource } from '@apollo/datasource-rest';

export class PaymentsAPI extends RESTDataSource {
  override baseURL = 'https://pay.acme-billing.com/v1/';

  override willSendRequest(_path: string, request: AugmentedRequest) {
    request.headers['x-api-key'] = process.env.PAYMENTS_KEY!;
  }

  invoices(customer: string) {
    return this.get('invoices', { params: { customer } });
  }

  contacts() {
    return this.get('contacts');
  }
}
