import { provideHttpClient } from '@angular/common/http';
import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing';
import { TestBed } from '@angular/core/testing';
import { ShippingService } from './shipping.service';

describe('ShippingService', () => {
  it('asks with its token', () => {
    TestBed.configureTestingModule({ providers: [provideHttpClient(), provideHttpClientTesting()] });
    const controller = TestBed.inject(HttpTestingController);
    TestBed.inject(ShippingService).rates('10115').subscribe();

    const req = controller.expectOne('https://api.shiphub.io/v1/rates?zip=10115');
    expect(req.request.headers.get('x-api-key')).toBe('ship-dev');
    req.flush([]);
  });
});
