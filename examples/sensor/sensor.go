// Package sensor is the subject "a reading of a constrained device": fixed-size
// numbers of the smallest width that holds them, no strings, no maps, no pointers,
// one short burst of samples. 32 bytes of numbers and the burst; about 210 bytes of JSON.
package sensor

import (
	"math"
	"math/rand/v2"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=SensorData
//go:generate zmy gen -type SensorData

// SensorData is one reading.
type SensorData struct {
	DeviceID    uint32  `json:"device_id" zmy:"0"`
	Sequence    uint32  `json:"seq" zmy:"1"`
	At          int64   `json:"at" zmy:"2"`          // Unix time in milliseconds
	Temperature float32 `json:"temperature" zmy:"3"` // °C
	Humidity    float32 `json:"humidity" zmy:"4"`    // % relative
	Pressure    uint32  `json:"pressure" zmy:"5"`    // Pa
	Battery     uint16  `json:"battery" zmy:"6"`     // mV
	RSSI        int8    `json:"rssi" zmy:"7"`        // dBm
	Status      uint8   `json:"status" zmy:"8"`      // bit set of faults
	Vibration   []int16 `json:"vibration" zmy:"9"`   // one burst, mg; none while asleep
}

// SampleSensorData draws one reading; 3 of 4 carry a burst of 16 samples of a
// noisy vibration.
func SampleSensorData(r *rand.Rand) SensorData {
	d := SensorData{
		DeviceID:    0x5a000000 | uint32(r.IntN(1<<16)),
		Sequence:    uint32(r.IntN(1 << 24)),
		At:          sample.Time(r).UnixMilli(),
		Temperature: float32(sample.Round(21+4*r.NormFloat64(), 2)),
		Humidity:    float32(sample.Round(30+40*r.Float64(), 1)),
		Pressure:    uint32(101325 + 900*r.NormFloat64()),
		Battery:     uint16(2700 + r.IntN(900)),
		RSSI:        int8(-90 + r.IntN(50)),
	}
	if sample.Chance(r, 0.05) {
		d.Status = 1 << r.IntN(8)
	}
	if sample.Chance(r, 0.75) {
		d.Vibration = make([]int16, 16)
		phase, swing := 2*math.Pi*r.Float64(), sample.LogNormal(r, 200, 0.5)
		for i := range d.Vibration {
			x := swing*math.Sin(phase+float64(i)*0.8) + 12*r.NormFloat64()
			d.Vibration[i] = int16(min(max(x, -4000), 4000))
		}
	}
	return d
}
