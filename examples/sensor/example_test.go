package sensor_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/examples/sensor"
	"github.com/zmylab/zmy/fxjson"
)

// Numbers keep their width in the native format.
func Example() {
	v := sensor.SampleSensorData(rand.New(rand.NewPCG(1, 0)))
	b, err := zmy.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	var back sensor.SensorData
	if err := zmy.Unmarshal(b, &back); err != nil {
		log.Fatal(err)
	}
	text, err := fxjson.Marshal(&v)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d samples: %d bytes native, %d of JSON\n", len(back.Vibration), len(b), len(text))
	// Output:
	// 16 samples: 70 bytes native, 227 of JSON
}
