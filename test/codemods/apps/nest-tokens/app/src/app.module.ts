import { Module } from '@nestjs/common';
import { BillingModule } from './billing/billing.module';
import { ContactsController } from './contacts/contacts.controller';
import { ContactsService } from './contacts/contacts.service';
import { MessagingModule } from './messaging/messaging.module';

@Module({
  imports: [MessagingModule.forRoot({ apiKey: process.env.MESSAGING_API_KEY ?? '' }), BillingModule],
  controllers: [ContactsController],
  providers: [ContactsService],
})
export class AppModule {}
