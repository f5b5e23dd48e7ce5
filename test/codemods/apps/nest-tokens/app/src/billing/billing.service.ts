import { Inject, Injectable } from '@nestjs/common';
import type { AxiosInstance } from 'axios';

@Injectable()
export class BillingService {
  constructor(@Inject('BILLING_HTTP') private readonly http: AxiosInstance) {}

  contacts() {
    return this.http.get('/contacts');
  }
}
