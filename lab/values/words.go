package values

import "strings"

// Vocabularies. The most frequent words come first.
var (
	words = strings.Fields(`order delivery the and to of service customer product with price for shipping new from
		stock item data payment on quality account in fast return report is update value package request time
		system team status after before batch market store client user server event stream field record index
		signal network storage memory sensor device region window bridge garden river mountain forest ocean
		harbor valley meadow copper silver golden violet amber marble granite crystal timber cotton velvet
		linen leather paper carbon steel glass ceramic rubber plastic engine motor wheel cable socket switch
		filter valve pump panel frame handle cover holder carrier basket bottle blanket pillow curtain carpet
		lantern candle mirror picture letter ticket voucher coupon invoice receipt contract policy budget
		forecast margin volume quarter season winter summer autumn spring morning evening midnight weekend
		holiday journey station airport terminal platform corridor entrance balcony kitchen library museum
		theatre concert orchestra melody rhythm lyric chapter volume edition author editor reader writer
		lecture lesson student teacher science physics biology chemistry history geography language grammar
		algorithm protocol schema codec buffer latency throughput cluster replica shard partition offset`)
	firstNames = append(asciiFirst[:len(asciiFirst):len(asciiFirst)], "José", "Zoë", "Jürgen", "Łukasz", "美咲", "Søren", "Chloé")
	asciiFirst = strings.Fields(`Anna Ben Carla David Elena Farid Grace Hugo Ines Jack Kira Liam Maya Noah Olga Paul
		Quinn Rosa Sam Tara Umar Vera Will Xenia Yusuf Zara Amir Bella Chen Dora Emil Fiona Goran Hana Ivan Julia`)
	lastNames = append(asciiLast[:len(asciiLast):len(asciiLast)], "García", "Müller", "O'Brien", "Øster", "Łukasiewicz", "佐藤")
	asciiLast = strings.Fields(`Smith Garcia Muller Rossi Kim Tanaka Silva Novak Ivanov Jensen Dubois Kowalski Nguyen
		Patel Khan Okafor Mensah Lopez Martin Weber Fischer Moreau Costa Popescu Horvat Larsen Virtanen Wang Sato Cohen`)
	foreign    = strings.Fields("café naïve Straße smörgås 東京 żółty piñata façade €5 ½")
	companies  = strings.Fields("Acme Globex Initech Umbra Northwind Contoso Hooli Vandelay Stark Wayne Cyberdyne Soylent")
	cities     = []string{"Paris", "Berlin", "Tokyo", "São Paulo", "New York", "Lagos", "Mumbai", "Zürich", "Oslo", "Toronto"}
	countries  = strings.Fields("US DE FR GB JP CN IN BR NL ES IT PL SE CA AU")
	currencies = strings.Fields("USD EUR GBP JPY CNY INR BRL CHF SEK")
	regions    = strings.Fields("us-east us-west eu-west eu-central ap-south ap-northeast sa-east")
	locales    = strings.Fields("en-US en-GB de-DE fr-FR ja-JP zh-CN pt-BR es-ES")
	zones      = strings.Fields("Europe/Paris Europe/Berlin Asia/Tokyo America/New_York Asia/Kolkata UTC")
	statuses   = strings.Fields("active active active pending shipped paid done cancelled failed")
	roles      = strings.Fields("user user editor admin viewer owner auditor")
	kinds      = strings.Fields("standard premium basic internal external digital physical")
	events     = strings.Fields("order.created order.paid user.login user.logout item.added payment.failed message update")
	mimes      = strings.Fields("application/json application/json text/html text/plain image/png application/pdf")
	colors     = strings.Fields("red green blue black white silver navy olive teal")
	agents     = []string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
		"Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
		"curl/8.8.0", "Go-http-client/2.0", "okhttp/4.12.0",
	}
)
