import { Module } from '@nestjs/common';
import axios from 'axios';
import { BillingService } from './billing.service';

@Module({
  providers: [
    {
      provide: 'BILLING_HTTP',
      useFactory: () => axios.create({ baseURL: 'https://billing.example.net/v1', headers: { 'x-api-key': process.env.BILLING_KEY } }),
    },
    BillingService,
  ],
})
export class BillingModule {}
